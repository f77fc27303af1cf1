# The matrix is not derived but found: the one that takes many encodings to those offset later.
import torch


def encodings(positions, d_model):
    angle = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (positions, d_model)


def shift_matrix(offset, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    positions = torch.arange(20_000, dtype=torch.float64)
    here, there = encodings(positions, d_model), encodings(positions + offset, d_model)
    return torch.linalg.lstsq(here, there).solution.T
