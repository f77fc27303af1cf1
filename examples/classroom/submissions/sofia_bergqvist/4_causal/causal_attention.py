"""Causal attention. Sofia Bergqvist"""
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attention_dropout = nn.Dropout(dropout)
        future = torch.triu(torch.ones(context_length, context_length), diagonal=1)
        self.register_buffer("mask", future.bool())

    def forward(self, x):
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        length = x.size(1)
        scores = torch.bmm(queries, keys.transpose(1, 2)) / keys.size(2) ** 0.5
        scores = scores.masked_fill(self.mask[:length, :length], torch.finfo(scores.dtype).min)
        weights = self.attention_dropout(torch.softmax(scores, dim=2))
        return torch.bmm(weights, values)
