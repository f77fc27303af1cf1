# The entries of all parameters in one long vector: how long is it?
from torch.nn.utils import parameters_to_vector


def gpt2_small_attention(attention_class):
    sizes = (768, 768, 1024, 0.0, 12)
    return attention_class(*sizes)


def count_parameters(module):
    parameters = list(module.parameters())
    return parameters_to_vector(parameters).shape[0] if parameters else 0
