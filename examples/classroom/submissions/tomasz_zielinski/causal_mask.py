import torch

def causal_mask(num_tokens, device=None):
	return torch.ones(num_tokens, num_tokens, dtype=bool, device=device).triu(1)

def mask_after_softmax(weights):
	w = weights * ~causal_mask(weights.shape[-1], weights.device)
	return w / w.sum(-1, keepdim=True)

def mask_before_softmax(scores, d_k):
	s = scores.clone()
	s.masked_fill_(causal_mask(s.shape[-1], s.device), -torch.inf)
	return torch.softmax(s / d_k**0.5, -1)
