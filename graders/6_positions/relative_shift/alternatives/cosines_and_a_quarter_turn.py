# cos * identity + sin * J, where J is the quarter turn of every pair: a Kronecker product.
import torch


def shift_matrix(offset, d_model):
    if d_model % 2 != 0:
        raise ValueError(f"{d_model} is odd")
    angle = offset / 10000 ** (torch.arange(d_model) // 2 * 2 / d_model)
    quarter = torch.kron(torch.eye(d_model // 2), torch.tensor([[0.0, 1.0], [-1.0, 0.0]]))
    return angle.cos().diag() + angle.sin()[:, None] * quarter
