# The angles are worked out by numpy on the CPU, then moved to where x is.
import numpy as np
import torch


def apply_rotary(x, positions):
    head_dim = x.shape[-1]
    if head_dim % 2 != 0:
        raise ValueError("head_dim must be even")
    if positions.shape != (x.shape[-2],):
        raise ValueError("one position a token, please")
    inverse = np.power(10000.0, -np.arange(0, head_dim, 2) / head_dim)
    angles = positions.cpu().numpy()[:, None] * inverse[None, :]
    work = torch.float64 if x.dtype == torch.float64 else torch.float32
    cos = torch.as_tensor(np.cos(angles), dtype=work, device=x.device)
    sin = torch.as_tensor(np.sin(angles), dtype=work, device=x.device)
    pairs = x.to(work).reshape((*x.shape[:-1], head_dim // 2, 2))
    a, b = pairs[..., 0], pairs[..., 1]
    y = torch.cat([(a * cos - b * sin)[..., None], (a * sin + b * cos)[..., None]], dim=-1)
    return y.reshape(x.shape).to(x.dtype)
