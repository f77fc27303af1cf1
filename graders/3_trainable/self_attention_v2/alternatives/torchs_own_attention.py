# Torch's own attention takes the place of the given lines.
from torch import nn
from torch.nn import functional


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, qkv_bias))

    def forward(self, x):
        return functional.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))
