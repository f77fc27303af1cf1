# Einsum from the first to the last step, on the stored weights of the layers.
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, d_decoder, d_encoder, d_attention):
        super().__init__()
        self.W_s = nn.Linear(d_decoder, d_attention, bias=False)
        self.W_h = nn.Linear(d_encoder, d_attention, bias=False)
        self.v = nn.Linear(d_attention, 1, bias=False)

    def forward(self, decoder_state, encoder_states, mask=None):
        asked = torch.einsum("bd,ad->ba", decoder_state, self.W_s.weight)
        offered = torch.einsum("btd,ad->bta", encoder_states, self.W_h.weight)
        hidden = (asked.unsqueeze(-2) + offered).tanh()
        scores = torch.einsum("bta,a->bt", hidden, self.v.weight[0])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = torch.softmax(scores, -1)
        if mask is not None:
            weights = torch.where(mask, torch.zeros_like(weights), weights)
        return torch.einsum("bt,btd->bd", weights, encoder_states), weights
