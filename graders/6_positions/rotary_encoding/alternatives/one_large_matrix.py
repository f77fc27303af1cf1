# A head_dim x head_dim matrix for each token, block diagonal, as the paper writes it.
import torch


def apply_rotary(x, positions):
    *_, tokens, width = x.shape
    if width % 2 != 0:
        raise ValueError(width)
    matrix = torch.zeros(tokens, width, width, device=x.device)
    for even in range(0, width, 2):
        angle = positions * 10000 ** (-even / width)
        matrix[:, even, even] = matrix[:, even + 1, even + 1] = torch.cos(angle)
        matrix[:, even + 1, even] = torch.sin(angle)
        matrix[:, even, even + 1] = -torch.sin(angle)
    return (matrix.to(x.dtype) @ x.unsqueeze(-1)).squeeze(-1)
