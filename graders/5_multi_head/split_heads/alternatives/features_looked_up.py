# A table says which feature goes where: x is indexed with it, and so is the way back.
import torch


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if d_model % num_heads != 0:
        raise ValueError(f"{num_heads} does not divide {d_model}")
    table = torch.arange(d_model, device=x.device).reshape(num_heads, d_model // num_heads)
    return x[:, :, table].permute(0, 2, 1, 3)


def merge_heads(x):
    _, num_heads, _, head_dim = x.shape
    feature = torch.arange(num_heads * head_dim, device=x.device)
    by_feature = x[:, feature // head_dim, :, feature % head_dim]
    return by_feature.permute(1, 2, 0)
