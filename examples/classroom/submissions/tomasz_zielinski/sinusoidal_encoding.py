import math
import torch
from torch import nn

def wavelengths(d_model):
	return math.tau * 10000 ** (torch.arange(0, d_model, 2) / d_model)

class SinusoidalPE(nn.Module):
	def __init__(self, d_model=512, max_len=5000, dropout=0.1):
		super().__init__()
		self.dropout = nn.Dropout(dropout)
		a = math.tau * torch.arange(max_len)[:, None] / wavelengths(d_model)
		pe = torch.empty(max_len, d_model)
		pe[:, ::2] = a.sin()
		pe[:, 1::2] = a.cos()[:, :d_model // 2]
		self.register_buffer("pe", pe)

	def forward(self, x):
		num_tokens = x.shape[1]
		x = x + self.pe[:num_tokens]
		return self.dropout(x)
