# The gradient is asked for at the state itself, with ones; tables of what each mechanism does.
import torch

KEEPS_ALL = {"rnn": False, "attention": True}
STEPS = {"rnn": lambda tokens: tokens - 1, "attention": lambda tokens: min(tokens - 1, 1)}


def longest_path(mechanism, tokens):
    if mechanism not in STEPS:
        raise ValueError(f"unknown mechanism {mechanism}")
    return STEPS[mechanism](tokens)


def decoder_memory(mechanism, tokens, hidden_size):
    if mechanism not in KEEPS_ALL:
        raise ValueError(f"unknown mechanism {mechanism}")
    return tokens ** KEEPS_ALL[mechanism] * hidden_size


def score_entries(tokens):
    return pow(tokens, 2)


def input_gradient_norms(rnn, x):
    with torch.enable_grad():
        heard = x.detach().clone().requires_grad_()
        last = rnn(heard)[0].select(1, x.shape[1] - 1)
        gradients = torch.autograd.grad(last, heard, grad_outputs=torch.ones_like(last))
    return torch.sqrt((gradients[0] ** 2).sum(dim=-1))
