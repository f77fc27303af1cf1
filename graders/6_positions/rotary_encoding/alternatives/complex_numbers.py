# A pair is a complex number, and a rotation is the product with e to the power i times the angle.
import torch


def apply_rotary(x, positions):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    pairs = x.shape[-1] // 2
    rate = 1.0 / 10000 ** (torch.arange(pairs, device=x.device) / pairs)
    angle = torch.outer(positions.float(), rate)
    turn = torch.polar(torch.ones_like(angle), angle)
    numbers = torch.view_as_complex(x.float().unflatten(-1, (pairs, 2)).contiguous())
    return torch.view_as_real(numbers * turn).flatten(-2).to(x.dtype)
