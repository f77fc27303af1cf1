# nn.MultiheadAttention itself, with these layers' weights; sentences without a visible token are cleared.
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_target, d_source, n_heads):
        super().__init__()
        torchs = nn.MultiheadAttention(
            d_target, n_heads, bias=False, kdim=d_source, vdim=d_source, batch_first=True
        )
        self.hidden = [torchs]  # in a list, so that its parameters are not this module's
        self.W_Q = nn.Linear(d_target, d_target, bias=False)
        self.W_K = nn.Linear(d_source, d_target, bias=False)
        self.W_V = nn.Linear(d_source, d_target, bias=False)
        self.W_O = nn.Linear(d_target, d_target, bias=False)

    def forward(self, target, source, mask=None):
        torchs = self.hidden[0]
        if torchs.in_proj_weight is None:
            names = {"q_proj_weight": self.W_Q, "k_proj_weight": self.W_K, "v_proj_weight": self.W_V}
            own = {name: layer.weight for name, layer in names.items()}
        else:  # torch has one matrix for all three where they are equally wide
            own = {"in_proj_weight": torch.cat([self.W_Q.weight, self.W_K.weight, self.W_V.weight])}
        own["out_proj.weight"] = self.W_O.weight
        nothing = None if mask is None else mask.all(dim=1)
        seen = None if mask is None else mask & ~nothing[:, None]
        options = {"key_padding_mask": seen, "average_attn_weights": False}
        output, weights = torch.func.functional_call(torchs, own, (target, source, source), options)
        if mask is not None:
            output = output.masked_fill(nothing[:, None, None], 0.0)
            weights = weights.masked_fill(nothing[:, None, None, None], 0.0)
        return output, weights
