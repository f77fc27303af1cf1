import torch
import torch.nn as nn


class CausalAttention(nn.Module):

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        B, T, C = x.shape
        q = self.W_query(x)     # B, T, d_out
        k = self.W_key(x)       # B, T, d_out
        v = self.W_value(x)     # B, T, d_out

        wei = q @ k.transpose(-2, -1) * self.d_out ** -0.5      # B, T, T
        wei = wei.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
        wei = wei.softmax(dim=-1)
        wei = self.dropout(wei)
        out = wei @ v           # B, T, d_out
        return out
