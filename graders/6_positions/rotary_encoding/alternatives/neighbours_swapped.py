# Each cosine and sine is written twice; the partner of every dimension, with its sign, is a second tensor.
import torch


def with_signs_swapped(x):
    out = torch.empty_like(x)
    out[..., ::2] = -x[..., 1::2]
    out[..., 1::2] = x[..., ::2]
    return out


def apply_rotary(x, positions):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim is odd")
    inverse = 10000 ** (-torch.arange(0, d, 2, device=x.device).float() / d)
    angle = (positions.to(inverse)[:, None] @ inverse[None]).repeat_interleave(2, dim=-1)
    return (x.float() * angle.cos() + with_signs_swapped(x).float() * angle.sin()).to(x.dtype)
