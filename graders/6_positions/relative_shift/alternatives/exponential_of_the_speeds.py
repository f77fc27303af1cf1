# A rotation is the exponential of its speed: exp(offset * G) with G = [[0, w], [-w, 0]] for each pair.
import torch


def shift_matrix(offset, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model has to be even")
    speed = torch.zeros(d_model, dtype=torch.float64)
    speed[::2] = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    generator = torch.diag(speed[:-1], 1) - torch.diag(speed[:-1], -1)
    return torch.linalg.matrix_exp(offset * generator)
