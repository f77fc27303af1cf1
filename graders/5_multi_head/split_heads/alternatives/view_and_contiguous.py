# The book's way: view and transpose there, transpose, contiguous and view back; an assert refuses.
def split_heads(x, num_heads):
    b, num_tokens, d_out = x.shape
    assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
    x = x.view(b, num_tokens, num_heads, d_out // num_heads)
    return x.transpose(1, 2)


def merge_heads(x):
    b, num_heads, num_tokens, head_dim = x.shape
    return x.transpose(1, 2).contiguous().view(b, num_tokens, num_heads * head_dim)
