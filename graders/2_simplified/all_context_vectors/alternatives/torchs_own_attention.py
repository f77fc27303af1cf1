# Torch's own attention makes the contexts, without its scale; a linear layer without bias makes the scores.
import torch
from torch.nn.functional import linear, scaled_dot_product_attention


def all_context_vectors(inputs):
    scores = linear(inputs, inputs)
    weights = torch.exp(torch.log_softmax(scores, dim=-1))
    tokens = inputs[None]
    contexts = scaled_dot_product_attention(tokens, tokens, tokens, scale=1.0)
    return scores, weights, contexts[0]
