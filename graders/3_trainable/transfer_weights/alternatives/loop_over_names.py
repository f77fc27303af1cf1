# A loop over the three names with getattr and setattr.
from torch import nn


def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        linear = getattr(v2, name)
        setattr(v1, name, nn.Parameter(linear.weight.transpose(0, 1).contiguous()))
