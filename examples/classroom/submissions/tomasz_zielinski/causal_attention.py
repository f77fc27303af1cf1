import torch
from torch import nn

class CausalAttention(nn.Module):
	def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
		super().__init__()
		self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
		self.dropout = nn.Dropout(dropout)
		self.register_buffer("mask", torch.ones(context_length, context_length, dtype=bool).triu(1))

	def forward(self, x):
		n = x.shape[1]
		q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
		attn = q @ k.transpose(1, 2)
		attn.masked_fill(self.mask[:n, :n], -torch.inf)
		attn = torch.softmax(attn / k.shape[-1]**0.5, dim=-1)
		return self.dropout(attn) @ v
