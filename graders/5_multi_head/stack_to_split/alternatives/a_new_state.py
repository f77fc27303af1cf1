# A state dict for the module, made from that of the wrapper; the mask of the module stays.
import torch


def stack_to_split(wrapper, attention):
    state = attention.state_dict()
    for key in state:
        if key.startswith("W_"):
            state[key] = torch.cat([head.state_dict()[key] for head in wrapper.heads])
    state["out_proj.weight"] = torch.eye(len(state["out_proj.bias"]))
    state["out_proj.bias"] = torch.zeros(len(state["out_proj.bias"]))
    attention.load_state_dict(state)
