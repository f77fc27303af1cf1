"""Who looks at whom in two heads, for the words of the book's example."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import observe, push

WORDS = ("Your", "journey", "starts", "with", "one", "step")
EMBEDDINGS = torch.tensor(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)
HEADS, SIZE = 2, 6


def show(student):
    """Weights are read off the output: each token carries its own place, and the values pass that on."""
    x = torch.cat([EMBEDDINGS, torch.eye(SIZE)], dim=-1)  # what it is, and where it stands
    attention = student.MultiHeadAttention(3 + SIZE, HEADS * SIZE, SIZE, 0.0, HEADS).eval()
    generator = torch.Generator().manual_seed(3)
    of_words = torch.randn(2, HEADS * SIZE, 3, generator=generator) * 2
    blind = torch.zeros(HEADS * SIZE, SIZE)  # queries and keys do not look at places
    push(
        attention,
        {
            "W_query.weight": torch.cat([of_words[0], blind], dim=-1),
            "W_key.weight": torch.cat([of_words[1], blind], dim=-1),
            "W_value.weight": torch.cat([torch.zeros(HEADS * SIZE, 3), torch.eye(SIZE).repeat(HEADS, 1)], -1),
            "out_proj.weight": torch.eye(HEADS * SIZE),
            "out_proj.bias": torch.zeros(HEADS * SIZE),
        },
    )
    output = observe(attention, x[None], seed=0).value
    if not isinstance(output, torch.Tensor) or tuple(output.shape) != (1, SIZE, HEADS * SIZE):
        return []
    return [
        Heatmap(
            f"Attention weights of head {head}",
            output[0, :, head * SIZE : (head + 1) * SIZE].detach(),
            row_axis="query",
            column_axis="key",
            rows=WORDS,
            columns=WORDS,
        )
        for head in range(HEADS)
    ]
