"""The layer v is also a part of a stack that makes the scores."""

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, d_decoder, d_encoder, d_attention):
        super().__init__()
        self.W_s = nn.Linear(d_decoder, d_attention, bias=False)
        self.W_h = nn.Linear(d_encoder, d_attention, bias=False)
        self.v = nn.Linear(d_attention, 1, bias=False)
        self.score = nn.Sequential(nn.Tanh(), self.v, nn.Flatten(start_dim=-2))  # the same v

    def forward(self, decoder_state, encoder_states, mask=None):
        scores = self.score(self.W_s(decoder_state).unsqueeze(1) + self.W_h(encoder_states))
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            weights = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), dim=-1)
            weights = weights.masked_fill(mask, 0.0)
        return torch.bmm(weights[:, None], encoder_states)[:, 0], weights
