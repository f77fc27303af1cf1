# A walk through the modules that remembers which parameters it has met.
def gpt2_small_attention(attention_class):
    head_dim, heads = 64, 12
    return attention_class(head_dim * heads, head_dim * heads, 2**10, 0, heads)


def count_parameters(module):
    met = {}
    for part in module.modules():
        for parameter in part.parameters(recurse=False):
            met[id(parameter)] = parameter.nelement()
    return sum(met.values())
