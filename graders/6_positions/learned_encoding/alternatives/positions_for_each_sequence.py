# Positions as (batch, tokens), one row of integers a sequence; small initial numbers, as GPT-2 has them.
import torch
from torch import nn


class LearnedPE(nn.Module):
    def __init__(self, d_model=512, max_len=512):
        super().__init__()
        self.max_len = max_len
        self.pe = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
        nn.init.normal_(self.pe.weight, std=0.02)

    def forward(self, x):
        batch, tokens, _ = x.shape
        assert tokens <= self.max_len, "the sequence is too long"
        positions = torch.arange(tokens, device=x.device).unsqueeze(0).expand(batch, tokens)
        return x + self.pe(positions)
