# Each head writes its rows into a slice of the weight that is there.
import torch


@torch.no_grad()
def stack_to_split(wrapper, attention):
    for name in ("W_query", "W_key", "W_value"):
        target = getattr(attention, name)
        first = 0
        for head in wrapper.heads:
            source = getattr(head, name)
            rows = slice(first, first + source.out_features)
            target.weight[rows] = source.weight
            if source.bias is not None:
                target.bias[rows] = source.bias
            first = rows.stop
    attention.out_proj.weight.zero_().fill_diagonal_(1)
    attention.out_proj.bias.zero_()
