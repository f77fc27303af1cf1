# One sentence after the other, and the gradient of each number of its last state, added up.
import torch


def longest_path(mechanism, tokens):
    match mechanism:
        case "rnn":
            return tokens - 1
        case "attention":
            return 0 if tokens == 1 else 1
    raise ValueError(mechanism)


def decoder_memory(mechanism, tokens, hidden_size):
    match mechanism:
        case "rnn":
            return hidden_size
        case "attention":
            return hidden_size * tokens
    raise ValueError(mechanism)


def score_entries(tokens):
    return int(torch.ones(tokens, tokens).sum().item()) if tokens < 100 else tokens**2


def input_gradient_norms(rnn, x):
    norms = []
    for sentence in x:
        heard = sentence[None].clone().requires_grad_()
        last = rnn(heard)[0][0, -1]
        parts = [torch.autograd.grad(number, heard, retain_graph=True)[0][0] for number in last]
        norms.append(torch.stack(parts).sum(dim=0).norm(dim=-1))
    return torch.stack(norms)
