# Batched products, and minus infinity only where a sentence has something to see.
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, d_decoder, d_encoder, d_attention):
        super().__init__()
        self.v = nn.Linear(d_attention, 1, bias=False)
        self.W_h = nn.Linear(d_encoder, d_attention, bias=False)
        self.W_s = nn.Linear(d_decoder, d_attention, bias=False)

    def forward(self, decoder_state, encoder_states, mask=None):
        scores = self.v(torch.tanh(self.W_s(decoder_state[:, None]) + self.W_h(encoder_states)))[..., 0]
        if mask is not None:
            empty = mask.all(dim=1, keepdim=True)
            scores = scores.masked_fill(mask & ~empty, float("-inf"))
        weights = scores.softmax(dim=1)
        if mask is not None:
            weights = weights * ~empty
        context = torch.bmm(weights.unsqueeze(1), encoder_states).squeeze(1)
        return context, weights
