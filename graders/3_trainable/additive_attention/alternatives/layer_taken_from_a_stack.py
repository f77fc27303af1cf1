"""The layer v is made inside a stack, and gets its name afterwards."""

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, d_decoder, d_encoder, d_attention):
        super().__init__()
        self.score = nn.Sequential(nn.Tanh(), nn.Linear(d_attention, 1, bias=False))
        self.W_s = nn.Linear(d_decoder, d_attention, bias=False)
        self.W_h = nn.Linear(d_encoder, d_attention, bias=False)
        self.v = self.score[1]

    def forward(self, decoder_state, encoder_states, mask=None):
        scores = self.score(self.W_s(decoder_state).unsqueeze(1) + self.W_h(encoder_states))[..., 0]
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            weights = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), dim=-1)
            weights = weights.masked_fill(mask, 0.0)
        return torch.bmm(weights[:, None], encoder_states)[:, 0], weights
