# The scores are symmetric, so a softmax down the columns, transposed, is one along the rows.
import torch


def all_context_vectors(inputs):
    scores = torch.matmul(inputs, inputs.transpose(0, 1))
    weights = torch.nn.functional.softmax(scores, dim=0).T
    return scores, weights, torch.matmul(weights, inputs)
