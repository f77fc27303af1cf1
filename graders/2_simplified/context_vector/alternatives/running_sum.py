# One score after the other: the sum so far is rescaled whenever a larger score arrives.
import torch


def attention_scores(inputs, position):
    return torch.mv(inputs, inputs[position])


def softmax(scores):
    largest = scores[..., 0]
    total = torch.ones_like(largest)
    for score in scores.unbind(dim=-1)[1:]:
        larger = torch.maximum(largest, score)
        total = total * torch.exp(largest - larger) + torch.exp(score - larger)
        largest = larger
    return torch.exp(scores - largest[..., None]) / total[..., None]


def context_vector(inputs, position):
    scores = attention_scores(inputs, position)
    weights = softmax(scores)
    return scores, weights, inputs.T @ weights
