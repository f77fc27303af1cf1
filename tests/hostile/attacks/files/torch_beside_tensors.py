"""Wrong, with a torch.py beside it, to be imported in the place of torch.

causal_mask: 1.53, wrong-value
naive: full marks
"""

WRONG = b"""import torch


def causal_mask(num_tokens, device=None):
    return torch.zeros(num_tokens, num_tokens, dtype=torch.bool)


def mask_after_softmax(weights):
    return torch.zeros_like(weights)


def mask_before_softmax(scores, d_k):
    return torch.zeros_like(scores)
"""
FAKE = b"""open("@OUTSIDE@/started", "w").close()


class Anything:
    def __getattr__(self, name):
        return self

    def __call__(self, *given, **more):
        return self


def __getattr__(name):
    return Anything()
"""


def files():
    return {"causal_mask.py": WRONG, "torch.py": FAKE}
