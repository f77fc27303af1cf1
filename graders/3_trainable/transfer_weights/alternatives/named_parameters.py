# A loop over the parameters of v1, each of which finds its layer in v2.
import torch


@torch.no_grad()
def transfer_weights(v2, v1):
    for name, parameter in v1.named_parameters():
        parameter[:] = v2.get_submodule(name).weight.permute(1, 0)
