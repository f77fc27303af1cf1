# The step by one token, taken offset times; a negative power is the inverse.
import torch


def shift_matrix(offset, d_model):
    if d_model % 2 == 1:
        raise ValueError("an odd d_model has a sine without a cosine")
    one = torch.zeros(d_model, d_model, dtype=torch.float64)
    for sine in range(0, d_model, 2):
        turn = torch.tensor(10000.0 ** (-sine / d_model), dtype=torch.float64)
        one[sine, sine] = one[sine + 1, sine + 1] = turn.cos()
        one[sine, sine + 1] = turn.sin()
        one[sine + 1, sine] = -turn.sin()
    return torch.linalg.matrix_power(one, offset)
