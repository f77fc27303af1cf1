# No transpose in sight: each layer applied to the unit vectors gives the matrix of v1.
import torch


def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        layer, parameter = getattr(v2, name), getattr(v1, name)
        unit_vectors = torch.eye(layer.in_features, dtype=parameter.dtype, device=parameter.device)
        parameter.data.copy_(layer(unit_vectors).detach())
