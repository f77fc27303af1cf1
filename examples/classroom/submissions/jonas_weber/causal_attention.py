import torch
import torch.nn as nn

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        mask = torch.full((context_length, context_length), -torch.inf)
        self.register_buffer("mask", torch.triu(mask, diagonal=1))   # 0 and -inf, gets added

    def forward(self, x):
        n = x.shape[-2]
        Q = self.W_query(x)
        K = self.W_key(x)
        V = self.W_value(x)
        S = Q @ K.transpose(-1, -2)
        S = S / K.shape[-1] ** 0.5
        S = S + self.mask[:n, :n]
        A = self.drop(torch.softmax(S, dim=-1))
        return A @ V
