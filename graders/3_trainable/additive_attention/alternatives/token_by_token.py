# One score after another, as the paper writes it.
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, d_decoder, d_encoder, d_attention):
        super().__init__()
        self.W_s, self.W_h = (nn.Linear(size, d_attention, bias=False) for size in (d_decoder, d_encoder))
        self.v = nn.Linear(d_attention, 1, bias=False)

    def score(self, decoder_state, encoder_state):
        return self.v(torch.tanh(self.W_s(decoder_state) + self.W_h(encoder_state)))  # (batch, 1)

    def forward(self, decoder_state, encoder_states, mask=None):
        tokens = encoder_states.unbind(dim=1)
        scores = torch.cat([self.score(decoder_state, token) for token in tokens], dim=1)
        if mask is not None:
            scores = scores.masked_fill(mask, -torch.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=1), nan=0.0)
        context = torch.zeros_like(encoder_states[:, 0])
        for position, token in enumerate(tokens):
            context = context + weights[:, position : position + 1] * token
        return context, weights
