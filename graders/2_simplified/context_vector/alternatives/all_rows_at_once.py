# The whole table of scores, of which one row is kept; the shift takes no part in the gradient.
import torch


def attention_scores(inputs, position):
    return (inputs @ inputs.mT)[position]


def softmax(scores):
    shifted = scores - scores.detach().max(-1).values.unsqueeze(-1)
    powers = torch.e**shifted
    return torch.nn.functional.normalize(powers, p=1, dim=-1)


def context_vector(inputs, position):
    scores = attention_scores(inputs, position)
    weights = softmax(scores)
    context = torch.matmul(weights[None, :], inputs).squeeze(0)
    return scores, weights, context
