# All arguments by name; the builtin sum over a generator.
def gpt2_small_attention(attention_class):
    return attention_class(
        num_heads=12, d_in=768, d_out=768, context_length=1024, dropout=0.0, qkv_bias=False
    )


def count_parameters(module):
    return sum(parameter.numel() for parameter in module.parameters())
