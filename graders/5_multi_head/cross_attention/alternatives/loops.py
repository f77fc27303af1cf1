# Sentence by sentence and head by head; only the source tokens that may be seen are looked at.
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_target, d_source, n_heads):
        super().__init__()
        self.size, rest = divmod(d_target, n_heads)
        assert rest == 0, "no equal heads"
        self.W_Q, self.W_O = nn.Linear(d_target, d_target, False), nn.Linear(d_target, d_target, False)
        self.W_K, self.W_V = nn.Linear(d_source, d_target, False), nn.Linear(d_source, d_target, False)

    def forward(self, target, source, mask=None):
        outputs, tables = [], []
        for number in range(len(target)):
            told = source[number]
            places = torch.arange(len(told), device=told.device)
            if mask is not None:
                places = places[~mask[number]]
            queries, keys = self.W_Q(target[number]), self.W_K(told[places])
            values = self.W_V(told[places])
            columns, tables_here = [], []
            for first in range(0, queries.shape[1], self.size):
                part = slice(first, first + self.size)
                shares = torch.softmax(queries[:, part] @ keys[:, part].T / self.size**0.5, dim=1)
                columns.append(shares @ values[:, part])
                table = shares.new_zeros(len(queries), len(told))
                table[:, places] = shares
                tables_here.append(table)
            outputs.append(self.W_O(torch.cat(columns, dim=1)))
            tables.append(torch.stack(tables_here))
        return torch.stack(outputs), torch.stack(tables)
