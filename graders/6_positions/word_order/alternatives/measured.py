# The words are measured: each module with random weights, several orders, errors above or below rounding.
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


class Attention(nn.Module):
    def __init__(self, causal=False, pooled=False, positioned=False):
        super().__init__()
        self.causal, self.pooled, self.positioned = causal, pooled, positioned
        self.qkv = nn.Linear(4, 12, bias=False)

    def forward(self, x):
        if self.positioned:
            x = x + torch.arange(x.shape[1]).unsqueeze(1)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        out = scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return out.mean(dim=1) if self.pooled else out


def equivariance_error(module, x, permutation):
    first = module(x[:, permutation, :])
    last = module(x)[:, permutation, :]
    return max((first - last).max(), (last - first).max())


def invariance_error(module, x, permutation):
    first, last = module(x[:, permutation, :]), module(x)
    return max((first - last).max(), (last - first).max())


def measured(module):
    x = torch.randn(2, 5, 4)
    orders = [torch.roll(torch.arange(5), k) for k in (1, 2)] + [torch.arange(5).flip(0)]
    if all(invariance_error(module, x, order) < 1e-5 for order in orders):
        return "invariant"
    if not module.pooled and all(equivariance_error(module, x, order) < 1e-5 for order in orders):
        return "equivariant"
    return "neither"


def predictions():
    return {
        "plain": measured(Attention()),
        "causal": measured(Attention(causal=True)),
        "pooled": measured(Attention(pooled=True)),
        "positioned": measured(Attention(positioned=True)),
    }
