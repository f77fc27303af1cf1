# A copy of the module takes the gradients of the parameters, and is thrown away.
import copy


def longest_path(mechanism, tokens):
    assert mechanism in ("rnn", "attention")
    steps = 0
    position = 0
    while position < tokens - 1:
        position = position + 1 if mechanism == "rnn" else tokens - 1
        steps += 1
    return steps


def decoder_memory(mechanism, tokens, hidden_size):
    assert mechanism in ("rnn", "attention")
    kept = tokens if mechanism == "attention" else 1
    return kept * hidden_size


def score_entries(tokens):
    return sum(1 for query in range(tokens) for key in range(tokens))


def input_gradient_norms(rnn, x):
    mine, heard = copy.deepcopy(rnn), x.detach().clone()
    heard.requires_grad = True
    mine(heard)[0][:, -1, :].sum().backward()
    return heard.grad.pow(2).sum(-1).sqrt()
