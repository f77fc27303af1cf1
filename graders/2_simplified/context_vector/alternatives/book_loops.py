# Loops over the tokens, as a first version is written; the maximum comes with its index.
import torch


def attention_scores(inputs, position):
    return torch.stack([torch.dot(token, inputs[position]) for token in inputs])


def softmax(scores):
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True)[0])
    return powers / torch.sum(powers, -1, keepdim=True)


def context_vector(inputs, position):
    scores = attention_scores(inputs, position)
    weights = softmax(scores)
    context = torch.zeros_like(inputs[0])
    for weight, token in zip(weights, inputs, strict=True):
        context = context + weight * token
    return scores, weights, context
