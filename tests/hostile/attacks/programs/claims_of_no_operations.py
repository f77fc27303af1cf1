"""Is wrong, and patches what watches its operations, so that it says that there were none.

causal_mask: 1.53, wrong-value
naive: nothing: it counts no operations
"""

import sys

import torch

for module in list(sys.modules.values()):
    if hasattr(module, "Watch") and module.__name__.startswith("softmarks"):
        module.Watch.saw = lambda *given: None
        module.gradients = lambda *given: ([], {})
        module.tensors = lambda *given: []


def causal_mask(num_tokens, device=None):
    return torch.zeros(num_tokens, num_tokens, dtype=torch.bool, device=device)


def mask_after_softmax(weights):
    return weights * 1


def mask_before_softmax(scores, d_k):
    return scores * 1
