"""How people get SelfAttention_v2 wrong: small edits of the reference, one idea each.

The attention is given, but a class is often pasted whole from one's own notes: the commonest mistakes of
the given lines are here too.
"""

from softmarks.course.rooms import Misconception, Trivial

CLASS = "class SelfAttention_v2(nn.Module):"
SUPER = "super().__init__()"
Q_LAYER = "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)"
K_LAYER = "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)"
V_LAYER = "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)"
QUERIES = "queries = self.W_query(x)"
KEYS = "keys = self.W_key(x)"
VALUES = "values = self.W_value(x)"
SCORES = "scores = queries @ keys.transpose(-2, -1)"
SCALED = "scaled = scores / keys.shape[-1] ** 0.5"
WEIGHTS = "weights = torch.softmax(scaled, dim=-1)"
CONTEXT = "return weights @ values"


def made(pattern):
    """One edit for each layer in __init__: ``pattern`` with NAME replaced."""
    return tuple(
        (old, pattern.replace("NAME", name))
        for old, name in ((Q_LAYER, "W_query"), (K_LAYER, "W_key"), (V_LAYER, "W_value"))
    )


def projected(pattern):
    """One edit for each projection in forward: ``pattern`` with NAME replaced."""
    return tuple(
        (old, f"{left} = {pattern.replace('NAME', name)}")
        for old, left, name in (
            (QUERIES, "queries", "W_query"),
            (KEYS, "keys", "W_key"),
            (VALUES, "values", "W_value"),
        )
    )


MISCONCEPTIONS = (
    # the layers
    Misconception(
        "bias_always",
        made("self.NAME = nn.Linear(d_in, d_out)"),
        says=(
            "Your layers always have a bias, as nn.Linear makes one unless it is told otherwise. Hand "
            "qkv_bias on."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "bias_never",
        made("self.NAME = nn.Linear(d_in, d_out, bias=False)"),
        says="Your layers never have a bias: the argument qkv_bias is ignored.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "bias_reversed",
        made("self.NAME = nn.Linear(d_in, d_out, bias=not qkv_bias)"),
        says="Your layers have a bias when qkv_bias is False, and none when it is True.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "value_without_bias",
        ((V_LAYER, "self.W_value = nn.Linear(d_in, d_out, bias=False)"),),
        says="Your W_value never has a bias. The argument qkv_bias is for all three layers.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "sizes_swapped",
        made("self.NAME = nn.Linear(d_out, d_in, bias=qkv_bias)"),
        says="Your layers are made from d_out to d_in. nn.Linear takes the size of its input first.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "square_layers",
        made("self.NAME = nn.Linear(d_out, d_out, bias=qkv_bias)"),
        says="Your layers take inputs of size d_out. What comes in has the size d_in.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "one_layer_for_all",
        ((K_LAYER, "self.W_key = self.W_query"), (V_LAYER, "self.W_value = self.W_query")),
        says=(
            "Your queries, keys and values share one layer. Each is to have a layer with weights of its own."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "bare_parameters",
        (*made("self.NAME = nn.Parameter(torch.rand(d_in, d_out))"), *projected("x @ self.NAME")),
        says=(
            "Your matrices are bare parameters, as in SelfAttention_v1, and so have no bias. Here each "
            "projection is an nn.Linear layer."
        ),
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "layers_not_registered",
        (
            (Q_LAYER, "self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]"),
            (K_LAYER, "pass"),
            (V_LAYER, "pass"),
            (QUERIES, "queries = self.layers[0](x)"),
            (KEYS, "keys = self.layers[1](x)"),
            (VALUES, "values = self.layers[2](x)"),
        ),
        says=(
            "Your module owns no layers: those in a Python list or dict, or made in forward, are neither "
            "trained nor saved nor moved. Make each an attribute."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "short_names",
        (
            (Q_LAYER, "self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)"),
            (K_LAYER, "self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)"),
            (V_LAYER, "self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)"),
            (QUERIES, "queries = self.W_q(x)"),
            (KEYS, "keys = self.W_k(x)"),
            (VALUES, "values = self.W_v(x)"),
        ),
        says=(
            "Your layers are called W_q, W_k and W_v. Weights are loaded by name, and the names here are "
            "W_query, W_key and W_value."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "super_forgotten",
        ((SUPER, "pass"),),
        says="super().__init__() is missing: a module takes no layers before it is set up.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "frozen",
        made("self.NAME = nn.Linear(d_in, d_out, bias=qkv_bias).requires_grad_(False)"),
        says="The weights of your layers do not ask for gradients, so they cannot learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "output_projected",
        (
            (Q_LAYER, Q_LAYER + "\n        self.out_proj = nn.Linear(d_out, d_out)"),
            (CONTEXT, "return self.out_proj(weights @ values)"),
        ),
        says=(
            "Your context goes through one more linear layer. That belongs to multi-head attention, not here."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    # the projections
    Misconception(
        "weight_not_transposed",
        projected("x @ self.NAME.weight"),
        says=(
            "You multiply the input by a layer's weight as it is stored, (d_out, d_in). Call the layer "
            "instead."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "bias_left_out",
        projected("x @ self.NAME.weight.T"),
        says=(
            "You use the weight of each layer without its bias. Call the layer: it adds the bias if there is "
            "one."
        ),
        hint="formula",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "layer_multiplied",
        projected("x @ self.NAME"),
        says="A layer is no matrix: it cannot stand in a product. Call it with x.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "no_projections",
        ((QUERIES, "queries = x"), (KEYS, "keys = x"), (VALUES, "values = x")),
        says="You use the inputs as queries, keys and values; the three layers are left out.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "inputs_mixed_for_values",
        ((VALUES, "values = x"),),
        says="Your weights mix the raw inputs. The values come from W_value and have the size d_out.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "keys_from_the_query_layer",
        ((KEYS, "keys = self.W_query(x)"),),
        says="Your keys are made with W_query; W_key is never used and never learns.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "values_from_the_key_layer",
        ((VALUES, "values = self.W_key(x)"),),
        says="Your values are made with W_key; W_value is never used and never learns.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "queries_and_keys_swapped",
        ((QUERIES, "queries = self.W_key(x)"), (KEYS, "keys = self.W_query(x)")),
        says="Your queries come from W_key and your keys from W_query. A row of scores belongs to one query.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "queries_and_values_swapped",
        ((QUERIES, "queries = self.W_value(x)"), (VALUES, "values = self.W_query(x)")),
        says=(
            "Your queries come from W_value and your values from W_query: each belongs to the layer of its "
            "name."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "relu_added",
        projected("torch.relu(self.NAME(x))"),
        says=(
            "In your code an activation follows the layers. Queries, keys and values are linear in x, and "
            "may be negative."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "queries_detached",
        ((QUERIES, QUERIES + ".detach()"),),
        says="Your queries are cut off from the gradient, so W_query never learns.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "data_used",
        projected("nn.functional.linear(x, self.NAME.weight.data, self.NAME.bias)"),
        says="You use the weights through .data, which autograd does not see: they never learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "input_forced_to_float32",
        ((QUERIES, "x = x.float()\n        " + QUERIES),),
        says="You turn the input into float32, so layers of another number type do not take it.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "layer_left_over",
        ((Q_LAYER, Q_LAYER + "\n        self.out_proj = nn.Linear(d_out, d_out)"),),
        says=(
            "You make a fourth layer and never use it. It is counted and saved as if it belonged to the "
            "function."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # the given lines, pasted from elsewhere
    Misconception(
        "keys_fully_reversed",
        ((SCORES, "scores = queries @ keys.T"),),
        says=".T turns all dimensions of a batch round. Swap the last two alone, as the given line does.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "not_scaled",
        ((SCALED, "scaled = scores"),),
        says="Your scores are not divided by the root of the size of a key. The given line does that.",
        hint="formula",
        keeps=(0.2, 0.35),
    ),
    Misconception(
        "scale_is_a_plain_tensor",
        (
            (Q_LAYER, Q_LAYER + "\n        self.scale = torch.sqrt(torch.FloatTensor([d_out]))"),
            (SCALED, "scaled = scores / self.scale"),
        ),
        says=(
            "You keep the root as a tensor, which neither moves with the module nor changes its number type. "
            "A plain number goes with every tensor."
        ),
        hint="line",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "scaled_by_d_in",
        ((SCALED, "scaled = scores / x.shape[-1] ** 0.5"),),
        says=(
            "Your scores are scaled by the size of the input, d_in. What counts is the size of a key, d_out."
        ),
        hint="formula",
        keeps=(0.2, 0.35),
    ),
    Misconception(
        "softmax_over_queries",
        ((WEIGHTS, "weights = torch.softmax(scaled, dim=-2)"),),
        says=(
            "Your softmax runs down the columns, over the queries. Let the weights of each query sum to 1, "
            "over the keys."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "softmax_over_dim_1",
        ((WEIGHTS, "weights = torch.softmax(scaled, dim=1)"),),
        says=(
            "Your softmax runs over dimension 1: the keys of one sequence, but the queries of a batch. Take "
            "the last dimension."
        ),
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "weights_returned_too",
        ((CONTEXT, "return weights @ values, weights"),),
        says="Your forward returns a pair with the weights in it. Here the context alone is asked for.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "weights_returned",
        ((CONTEXT, "return weights"),),
        says="Your forward returns the attention weights. The context vectors are asked for.",
        hint="formula",
        keeps=(0, 0.1),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((CONTEXT, "return torch.zeros_like(values)"),)),
    Trivial("the_input_itself", ((CONTEXT, "return x"),)),
    Trivial("the_values", ((CONTEXT, "return values"),)),
    Trivial("uniform_weights", ((CONTEXT, "return values.mean(dim=-2, keepdim=True).expand_as(values)"),)),
    Trivial("nothing", ((CONTEXT, "return None"),)),
)
