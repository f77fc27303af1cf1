# The Parameters stay, and their data are replaced; a diagonal matrix of ones is the identity.
import torch


def stack_to_split(wrapper, attention):
    for name, parameter in attention.named_parameters():
        if name == "out_proj.weight":
            parameter.data = torch.diag(torch.ones_like(parameter.data[0]))
        elif name == "out_proj.bias":
            parameter.data = torch.zeros_like(parameter.data)
        else:
            parameter.data = torch.cat([head.get_parameter(name).data for head in wrapper.heads], dim=0)
