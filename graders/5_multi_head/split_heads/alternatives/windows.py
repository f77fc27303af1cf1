# Windows of head_dim features, one next to the other; and back by a permutation and a reshape.
def split_heads(x, num_heads):
    head_dim, rest = divmod(x.shape[-1], num_heads)
    if rest:
        raise RuntimeError(f"{rest} features are left over")
    return x.unfold(-1, head_dim, head_dim).permute(0, 2, 1, 3)


def merge_heads(x):
    return x.permute(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)
