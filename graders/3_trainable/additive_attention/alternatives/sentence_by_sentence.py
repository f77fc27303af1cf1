# Each sentence on its own, cut to the positions that may be seen.
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, d_decoder, d_encoder, d_attention):
        super().__init__()
        self.W_s = nn.Linear(d_decoder, d_attention, bias=False)
        self.W_h = nn.Linear(d_encoder, d_attention, bias=False)
        self.v = nn.Linear(d_attention, 1, bias=False)

    def forward(self, decoder_state, encoder_states, mask=None):
        asked, offered = self.W_s(decoder_state), self.W_h(encoder_states)
        blocked = torch.zeros_like(offered[..., 0]) if mask is None else mask.to(offered.dtype)
        contexts, rows = [], []
        for index in range(len(encoder_states)):
            scores = torch.tanh(asked[index] + offered[index]) @ self.v.weight.squeeze(0)
            powers = torch.exp(scores - scores.detach().max()) * (1 - blocked[index])
            total = powers.sum()
            row = powers / (total + (total == 0).to(total.dtype))
            rows.append(row)
            contexts.append(row @ encoder_states[index])
        return torch.stack(contexts), torch.stack(rows)
