"""The weights of the book's six words, read off the contexts, and which context moves with which word.

Tokens are one-hot and W_value is the identity, so a context vector is the row of weights itself.
"""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import observe, push

WORDS = ("Your", "journey", "starts", "with", "one", "step")
SCORES = torch.tensor(  # the book's, for keys of size 2
    [
        [0.2899, 0.0716, 0.0760, -0.0138, 0.1344, -0.0511],
        [0.4656, 0.1723, 0.1751, 0.0259, 0.1771, 0.0085],
        [0.4594, 0.1703, 0.1731, 0.0259, 0.1745, 0.0090],
        [0.2642, 0.1024, 0.1036, 0.0186, 0.0973, 0.0122],
        [0.2183, 0.0874, 0.0882, 0.0177, 0.0786, 0.0144],
        [0.3408, 0.1270, 0.1290, 0.0198, 0.1290, 0.0078],
    ]
)


def fitting(value, *shape):
    """The value if it is a tensor of this shape, else an empty table of it."""
    return value.detach() if tuple(getattr(value, "shape", ())) == shape else torch.full(shape, torch.nan)


def show(student):
    """Weights in eval mode, for all words and for four; in train mode; and who moves whom."""
    attention = student.CausalAttention(6, 6, 6, 0.5).eval()
    words = torch.eye(6)
    keys = SCORES * 3**0.5  # keys have size 6 here: the same weights as with size 2
    push(attention, {"W_query.weight": words, "W_key.weight": keys, "W_value.weight": words})
    doubled = words.repeat(7, 1, 1)
    doubled[range(1, 7), range(6)] *= 2  # version 1 + i has the word i twice as loud
    contexts = fitting(attention(doubled), 7, 6, 6)
    moved = (contexts[1:] - contexts[0]).abs().sum(dim=-1)
    shorter = fitting(attention(words[None, :4]), 1, 4, 6)[0, :, :4]
    trained = fitting(observe(attention.train(), words[None], seed=1).value, 1, 6, 6)[0]
    return [
        Heatmap("Weights in eval mode", contexts[0], "query", "key", WORDS, WORDS),
        Heatmap("Weights of the first four words alone", shorter, "query", "key", WORDS[:4], WORDS[:4]),
        Heatmap("Weights in train mode, at dropout 0.5", trained, "query", "key", WORDS, WORDS),
        Heatmap(
            "How far contexts move when a word gets louder", moved, "louder word", "context", WORDS, WORDS
        ),
    ]
