# A dictionary of sizes, as for a whole model; the sizes of each tensor are multiplied.
import math

GPT_CONFIG = {"emb_dim": 768, "n_heads": 12, "context_length": 1024, "drop_rate": 0.0}


def gpt2_small_attention(attention_class):
    width = GPT_CONFIG["emb_dim"]
    return attention_class(
        width, width, GPT_CONFIG["context_length"], GPT_CONFIG["drop_rate"], GPT_CONFIG["n_heads"]
    )


def count_parameters(module):
    return sum(math.prod(tensor.shape) for _, tensor in module.named_parameters())
