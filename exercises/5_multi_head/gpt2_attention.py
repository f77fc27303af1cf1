# %% [markdown]
# # Exercise 3.3: attention of the size of GPT-2
#
# 10 minutes; two functions of one to three lines. Builds on `multi_head_attention`.
#
# The class stays as it is; what changes is its size. In the smallest GPT-2 every attention layer takes and
# returns vectors of 768 features, has 12 heads and a context length of exactly 1,024 tokens. As in the book,
# queries, keys and values have no bias here (in the published GPT-2 they do). Dropout is off: a rate of 0.0.
#
# How many numbers does such a layer learn? An `nn.Linear` holds
#
# $$\text{inputs} \cdot \text{outputs} + \text{outputs}$$
#
# of them, the last term for its bias. A worked number: $3 \cdot 2 + 2 = 8$ for three inputs and two
# outputs. The whole layer has 2,360,064, and neither the number of heads nor the context length changes that.
#
# New here: reading sizes off a description, and counting parameters. (The smallest GPT-2 has 124,439,808 of
# them altogether, hence the name "124M". The figure of 117 million, which the paper gives and many texts
# repeat, is an early one and does not fit the published model.)


# %%
def gpt2_small_attention(attention_class):
    """Make one multi-head attention layer of the size that the smallest GPT-2 has.

    Shapes: attention_class -> an instance of it
        attention_class is called like MultiHeadAttention:
        attention_class(d_in, d_out, context_length, dropout, num_heads, qkv_bias=False)
    Steps:
        1. find the five sizes in the statement
        2. make the instance; arguments by position and by name are both right
    Example:
        >>> class Described:
        ...     def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        ...         self.sizes = (d_in, d_out, num_heads)
        >>> gpt2_small_attention(Described).sizes
        (768, 768, 12)

    Errors: none to raise
    """
    raise NotImplementedError("gpt2_small_attention: make an instance with the sizes of GPT-2 small")


# %%
def count_parameters(module):
    """Count the numbers that a module can learn: the entries of all its parameters, as a Python int.

    Every entry of every nn.Parameter counts, in the module and in all modules within it, whether it asks for
    gradients or is frozen at the moment. Buffers, such as a mask, do not count: they are not learned. A
    parameter that two layers share counts once.

    Shapes: any nn.Module -> an int
    Steps:
        1. go through the parameters of the module
        2. add up how many entries each has
    Example:
        >>> from torch import nn
        >>> count_parameters(nn.Linear(3, 2))
        8
        >>> count_parameters(nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 5, bias=False)))
        18

    Errors: none to raise; a module without parameters has 0
    """
    raise NotImplementedError("count_parameters: return the number of entries of all parameters")
