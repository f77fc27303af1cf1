# One rotation a pair, from Python's own sine and cosine, joined by block_diag; in float64.
import math

import torch


def shift_matrix(offset, d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")
    blocks = []
    for i in range(d_model // 2):
        turn = offset / 10000 ** (2 * i / d_model)
        c, s = math.cos(turn), math.sin(turn)
        blocks.append(torch.tensor([[c, s], [-s, c]], dtype=torch.float64))
    return torch.block_diag(*blocks)
