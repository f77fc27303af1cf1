import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.context_length = context_length
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        _, tokens, _ = x.shape
        if tokens > self.context_length:
            raise ValueError(f"got {tokens} tokens, the context is {self.context_length}")

        # the mask is cheap, so I make it here in the size that is needed (on the device of x!)
        mask = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(diagonal=1)

        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        scores = (queries @ keys.transpose(1, 2)) / keys.shape[-1] ** 0.5
        scores = scores.masked_fill(mask, -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ values
