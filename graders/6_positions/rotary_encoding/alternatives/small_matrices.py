# One 2 x 2 matrix for each token and pair, applied to all pairs with an einsum.
import math

import torch


def apply_rotary(x, positions):
    assert x.shape[-1] % 2 == 0, "an odd head_dim"
    width = x.shape[-1]
    dimension = torch.arange(0, width, 2, dtype=torch.float64, device=x.device)
    angle = positions[:, None].double() * torch.exp(dimension * (-math.log(10000.0) / width))
    rows = [torch.stack([angle.cos(), -angle.sin()], -1), torch.stack([angle.sin(), angle.cos()], -1)]
    matrices = torch.stack(rows, dim=-2).to(x.dtype)  # (tokens, pairs, 2, 2)
    return torch.einsum("tpij,...tpj->...tpi", matrices, x.unflatten(-1, (-1, 2))).flatten(-2)
