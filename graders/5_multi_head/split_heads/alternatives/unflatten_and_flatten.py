# Dimensions counted from the end; unflatten refuses by itself what does not divide.
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).movedim(-2, -3)


def merge_heads(x):
    return x.swapaxes(-3, -2).flatten(start_dim=-2)
