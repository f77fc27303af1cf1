# The weights are exponentials of scores minus the logarithm of the sum; einsum for the products.
import torch


def attention_scores(inputs, position):
    return torch.einsum("td,d->t", inputs, inputs[position])


def softmax(scores):
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()


def context_vector(inputs, position):
    scores = attention_scores(inputs, position)
    weights = softmax(scores)
    return [scores, weights, torch.einsum("t,td->d", weights, inputs)]
