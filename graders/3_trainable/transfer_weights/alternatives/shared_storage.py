# The book's own solution: new Parameters that share memory with v2.
import torch


def transfer_weights(v2, v1):
    v1.W_query = torch.nn.Parameter(v2.W_query.weight.T)
    v1.W_key = torch.nn.Parameter(v2.W_key.weight.T)
    v1.W_value = torch.nn.Parameter(v2.W_value.weight.T)
