# The mask is made in each call on the device of the input: -1e9 is added; the softmax is in float32.
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        if t > self.context_length:
            raise ValueError("too many tokens")
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        k = self.W_key(x).view(b, t, self.num_heads, self.head_dim).permute(0, 2, 3, 1)
        v = self.W_value(x).view(b, t, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        position = torch.arange(t, device=x.device)
        blocked = (position[None, :] > position[:, None])[None, None]
        scores = q.matmul(k) / torch.tensor(float(self.head_dim)).sqrt().item() + blocked.to(x.dtype) * -1e9
        weights = self.drop(torch.softmax(scores.float(), dim=3).type_as(x))
        return self.out_proj(weights.matmul(v).transpose(2, 1).reshape(b, t, self.d_out))
