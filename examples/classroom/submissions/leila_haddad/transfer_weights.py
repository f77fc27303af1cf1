import torch


def transfer_weights(v2, v1):
    state = {}
    for name, weight in v2.state_dict().items():
        state[name.removesuffix(".weight")] = weight.T
    v1.load_state_dict(state)
