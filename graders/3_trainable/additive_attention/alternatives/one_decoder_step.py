# The decoder state as a sequence of one: matmul and a mask that is added as a large negative number.
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, d_decoder, d_encoder, d_attention):
        super().__init__()
        self.W_s = nn.Linear(d_decoder, d_attention, bias=False)
        self.W_h = nn.Linear(d_encoder, d_attention, bias=False)
        self.v = nn.Linear(d_attention, 1, bias=False)

    def forward(self, decoder_state, encoder_states, mask=None):
        queries = self.W_s(decoder_state).unsqueeze(1).expand(-1, encoder_states.size(1), -1)
        energy = torch.tanh(torch.add(queries, self.W_h(encoder_states)))
        scores = torch.matmul(energy, self.v.weight.T).transpose(1, 2)  # (batch, 1, tokens)
        if mask is not None:
            blocked = mask.unsqueeze(1).to(scores.dtype)
            weights = torch.softmax(scores - blocked * 1e9, dim=2) * (1 - blocked)
        else:
            weights = torch.softmax(scores, dim=2)
        context = torch.matmul(weights, encoder_states)
        return context.flatten(1), weights.flatten(1)
