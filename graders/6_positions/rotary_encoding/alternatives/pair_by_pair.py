# A loop over pairs and a list of columns.
import torch


def apply_rotary(x, positions):
    size = x.size(-1)
    if size % 2:
        raise ValueError(f"{size} is odd")
    columns = []
    for i in range(size // 2):
        theta = positions / 10000 ** (2 * i / size)
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        columns += [a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()]
    return torch.stack(columns, dim=-1).type_as(x)
