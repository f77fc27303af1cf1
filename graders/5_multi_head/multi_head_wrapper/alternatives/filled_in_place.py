# The heads are appended to the ModuleList; the contexts are written into one tensor, head by head.
from building_blocks import CausalAttention
from torch import nn


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.heads = nn.ModuleList()
        while len(self.heads) < num_heads:
            self.heads.append(
                CausalAttention(d_in, d_out, context_length, dropout=dropout, qkv_bias=qkv_bias)
            )

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        context = x.new_zeros(batch, num_tokens, self.d_out * len(self.heads))
        for index, head in enumerate(self.heads):
            context[:, :, index * self.d_out : (index + 1) * self.d_out] = head(x)
        return context
