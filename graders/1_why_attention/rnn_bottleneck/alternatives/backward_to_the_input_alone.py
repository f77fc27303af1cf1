# backward can be told where to stop: at the input; the paths and memories stand in tables.
import torch


def longest_path(mechanism, tokens):
    return {"rnn": tokens - 1, "attention": int(tokens > 1)}[mechanism]


def decoder_memory(mechanism, tokens, hidden_size):
    return {"rnn": 1, "attention": tokens}[mechanism] * hidden_size


def score_entries(tokens):
    return tokens * tokens


def input_gradient_norms(rnn, x):
    heard = x.clone().requires_grad_(True)
    _, last = rnn(heard)
    last.sum().backward(inputs=[heard])
    return torch.linalg.vector_norm(heard.grad, dim=2)
