"""How people get SelfAttention_v1 wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

CLASS = "class SelfAttention_v1(nn.Module):"
SUPER = "super().__init__()"
W_QUERY = "self.W_query = nn.Parameter(torch.rand(d_in, d_out))"
W_KEY = "self.W_key = nn.Parameter(torch.rand(d_in, d_out))"
W_VALUE = "self.W_value = nn.Parameter(torch.rand(d_in, d_out))"
QUERIES = "queries = x @ self.W_query"
KEYS = "keys = x @ self.W_key"
VALUES = "values = x @ self.W_value"
SCORES = "scores = queries @ keys.transpose(-2, -1)"
SCALED = "scaled = scores / keys.shape[-1] ** 0.5"
WEIGHTS = "weights = torch.softmax(scaled, dim=-1)"
CONTEXT = "return weights @ values"


def made(pattern):
    """One edit for each matrix in __init__: ``pattern`` with NAME replaced."""
    return tuple(
        (old, pattern.replace("NAME", name))
        for old, name in ((W_QUERY, "W_query"), (W_KEY, "W_key"), (W_VALUE, "W_value"))
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
    # the parameters
    Misconception(
        "plain_tensors",
        made("self.NAME = torch.rand(d_in, d_out)"),
        says=(
            "Your matrices are plain tensors: no optimiser finds them, nothing saves them, and they stay "
            "behind when the module moves. Wrap each in nn.Parameter."
        ),
        hint="line",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "frozen",
        made("self.NAME = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)"),
        says="Your parameters are made with requires_grad=False, so they cannot learn. Leave that out.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "stored_transposed",
        (
            *made("self.NAME = nn.Parameter(torch.rand(d_out, d_in))"),
            *projected("x @ self.NAME.T"),
        ),
        says=(
            "Your function is right, but the matrices are stored as (d_out, d_in), as nn.Linear does it. "
            "Here they are (d_in, d_out)."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "sizes_swapped",
        made("self.NAME = nn.Parameter(torch.rand(d_out, d_in))"),
        says="Your matrices are made as (d_out, d_in), so a token of size d_in cannot be multiplied by them.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "linear_layers",
        (*made("self.NAME = nn.Linear(d_in, d_out, bias=False)"), *projected("self.NAME(x)")),
        says=(
            "Your projections are nn.Linear layers. The function is right; here each matrix is a bare "
            "nn.Parameter, and layers come in the next exercise."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "parameters_in_a_list",
        (
            (W_QUERY, "self.matrices = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]"),
            (W_KEY, "pass"),
            (W_VALUE, "pass"),
            (QUERIES, "queries = x @ self.matrices[0]"),
            (KEYS, "keys = x @ self.matrices[1]"),
            (VALUES, "values = x @ self.matrices[2]"),
        ),
        says=(
            "Your matrices are in a Python list, where the module does not see them. Make each an attribute, "
            "with the name that is asked for."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "matrices_made_in_forward",
        (
            (W_QUERY, "self.sizes = d_in, d_out"),
            (W_KEY, "pass"),
            (W_VALUE, "pass"),
            *projected("x @ torch.rand(*self.sizes)"),
        ),
        says=(
            "Your matrices are made anew in every call, from random numbers: nothing lasts that could be "
            "trained. Make them in __init__."
        ),
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "short_names",
        (
            (W_QUERY, "self.W_q = nn.Parameter(torch.rand(d_in, d_out))"),
            (W_KEY, "self.W_k = nn.Parameter(torch.rand(d_in, d_out))"),
            (W_VALUE, "self.W_v = nn.Parameter(torch.rand(d_in, d_out))"),
            (QUERIES, "queries = x @ self.W_q"),
            (KEYS, "keys = x @ self.W_k"),
            (VALUES, "values = x @ self.W_v"),
        ),
        says=(
            "Your parameters are called W_q, W_k and W_v. Weights are loaded by name, and the names here are "
            "W_query, W_key and W_value."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "one_matrix_for_all",
        ((W_KEY, "self.W_key = self.W_query"), (W_VALUE, "self.W_value = self.W_query")),
        says="Your queries, keys and values share one matrix. Each is to have a matrix of its own.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "super_forgotten",
        ((SUPER, "pass"),),
        says="super().__init__() is missing: a module takes no parameters before it is set up.",
        hint="line",
        keeps=(0, 0.1),
    ),
    # queries, keys and values
    Misconception(
        "scores_of_raw_inputs",
        ((SCORES, "scores = x @ x.transpose(-2, -1)"),),
        says=(
            "Your scores compare the raw inputs, as before there were any weights to train. Compare queries "
            "with keys."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "inputs_mixed_for_values",
        ((CONTEXT, "return weights @ x"),),
        says="Your weights mix the raw inputs. The context is a weighted sum of the values, of size d_out.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "keys_mixed_for_values",
        ((CONTEXT, "return weights @ keys"),),
        says="Your weights mix the keys. The context is a weighted sum of the values.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "queries_mixed_for_values",
        ((CONTEXT, "return weights @ queries"),),
        says="Your weights mix the queries. The context is a weighted sum of the values.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "queries_and_keys_swapped",
        ((SCORES, "scores = keys @ queries.transpose(-2, -1)"),),
        says="Your queries and keys have changed places in the scores. A row of scores belongs to one query.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "queries_and_values_swapped",
        ((SCORES, "scores = values @ keys.transpose(-2, -1)"), (CONTEXT, "return weights @ queries")),
        says=(
            "Your queries and values have changed places: queries meet keys in the scores, weights mix "
            "values."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "query_unused",
        ((SCORES, "scores = keys @ keys.transpose(-2, -1)"),),
        says="Your scores compare keys with keys; the queries are not used at all.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "keys_from_the_query_matrix",
        ((KEYS, "keys = x @ self.W_query"),),
        says="Your keys are made with W_query; W_key is never used and never learns.",
        hint="line",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "notebook_inputs_used",
        (
            (CLASS, "inputs = torch.rand(6, 3)\n\n\n" + CLASS),
            *projected("inputs @ self.NAME"),
        ),
        says=(
            "Your forward uses a tensor from outside the class (inputs, in the book's example) in place of "
            "its own argument x."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    # scores
    Misconception(
        "keys_not_transposed",
        ((SCORES, "scores = queries @ keys"),),
        says="Your keys are not transposed: each score is to be a dot product of one query with one key.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "keys_fully_reversed",
        ((SCORES, "scores = queries @ keys.T"),),
        says=(
            ".T turns all dimensions of a batch round. Swap the last two alone: that is right with a batch "
            "and without."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "keys_transposed_in_front",
        ((SCORES, "scores = queries @ keys.transpose(0, 1)"),),
        says=(
            "You transpose the keys in dimensions 0 and 1. In a batch these are sequences and tokens: count "
            "from the end."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "batch_flattened",
        ((QUERIES, "x = x.reshape(-1, x.shape[-1])\n        " + QUERIES),),
        says="You join the sequences of a batch into one long one, so they see each other. Keep the batch.",
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "causal_mask_added",
        (
            (
                SCALED,
                "future = torch.ones_like(scores, dtype=torch.bool).triu(1)\n"
                "        scores = scores.masked_fill(future, -torch.inf)\n        " + SCALED,
            ),
        ),
        says=(
            "You hide later tokens. That comes later in the course; in this exercise every token sees every "
            "other one."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    # scale
    Misconception(
        "not_scaled",
        ((SCALED, "scaled = scores"),),
        says=(
            "Your scores are not divided by the square root of the size of a key, so the weights are too "
            "uneven."
        ),
        hint="formula",
        keeps=(0.2, 0.35),
    ),
    Misconception(
        "divided_by_d_k",
        ((SCALED, "scaled = scores / keys.shape[-1]"),),
        says=(
            "Your scores are divided by the size of a key itself, not by its square root: the weights are "
            "too even."
        ),
        hint="formula",
        keeps=(0.2, 0.35),
    ),
    Misconception(
        "multiplied_by_root",
        ((SCALED, "scaled = scores / keys.shape[-1] ** -0.5"),),
        says=(
            "Your scores are multiplied by the root of the size of a key; dividing by its power -0.5 does "
            "that too. Divide by the root."
        ),
        hint="formula",
        keeps=(0.2, 0.35),
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
        "scaled_by_tokens",
        ((SCALED, "scaled = scores / scores.shape[-1] ** 0.5"),),
        says=(
            "Your scores are scaled by the number of tokens, the size of their own last dimension. What "
            "counts is the size of a key."
        ),
        hint="formula",
        keeps=(0.2, 0.35),
    ),
    Misconception(
        "notebook_global_used",
        ((CLASS, "d_out = 2\n\n\n" + CLASS), (SCALED, "scaled = scores / d_out**0.5")),
        says=(
            "Your forward reads d_out from outside the class (2 in the book's example), not from the module "
            "or its keys."
        ),
        hint="line",
        keeps=(0.2, 0.35),
    ),
    Misconception(
        "root_of_an_int",
        ((SCALED, "scaled = scores / torch.sqrt(keys.shape[-1])"),),
        says="torch.sqrt works on tensors, and the size of a key is a plain number.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "weights_scaled",
        ((SCALED, "scaled = scores"), (WEIGHTS, WEIGHTS + " / keys.shape[-1] ** 0.5")),
        says=(
            "You divide by the root after the softmax, so the weights no longer sum to 1. Divide the scores."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    # softmax and sum
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
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "softmax_without_dim",
        ((WEIGHTS, "weights = nn.functional.softmax(scaled)"),),
        says=(
            "Your softmax is not told its dimension. Torch then takes the keys of a single sequence, but in "
            "a batch the sequences."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "softmax_over_everything",
        ((WEIGHTS, "weights = torch.softmax(scaled.flatten(), dim=0).reshape(scaled.shape)"),),
        says=(
            "Your softmax runs over the whole table, so all weights together sum to 1. Each row must sum to "
            "1."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "softmax_missing",
        ((WEIGHTS, "weights = scaled"),),
        says="You use the scores as weights: the softmax is missing.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "softmax_too_late",
        ((WEIGHTS, "weights = scaled"), (CONTEXT, "return torch.softmax(weights @ values, dim=-1)")),
        says=(
            "You take the softmax of the context vectors. It belongs on the scores, before they meet the "
            "values."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "divided_by_the_sum",
        ((WEIGHTS, "weights = scaled / scaled.sum(dim=-1, keepdim=True)"),),
        says=(
            "You divide the scores by their sum, without the exponential. With scores of both signs some "
            "weights are negative, and some very large."
        ),
        hint="formula",
        keeps=(0.2, 0.35),
    ),
    Misconception(
        "naive_softmax",
        ((WEIGHTS, "weights = scaled.exp() / scaled.exp().sum(dim=-1, keepdim=True)"),),
        says=(
            "exp of a large score is infinity, and infinity divided by infinity is nan. torch.softmax "
            "subtracts the maximum first."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "softmax_in_float32",
        ((WEIGHTS, "weights = torch.softmax(scaled, dim=-1, dtype=torch.float32)"),),
        says=(
            "Your softmax is forced to float32, so the weights cannot be multiplied with values of another "
            "number type."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "weights_transposed",
        ((CONTEXT, "return weights.transpose(-2, -1) @ values"),),
        says="You transpose the weights before they meet the values. Row i of the weights makes context i.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "torchs_own_attention",
        ((CONTEXT, "return nn.functional.scaled_dot_product_attention(queries, keys, values)"),),
        says=(
            "Torch's ready-made attention does the work. The result is right; here the attention is to "
            "be written "
            "out."
        ),
        hint="formula",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "weights_detached",
        ((WEIGHTS, WEIGHTS + ".detach()"),),
        says="Your attention weights are cut off from the gradient, so W_query and W_key never learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "data_used",
        projected("x @ self.NAME.data"),
        says="You use the matrices through .data, which autograd does not see: no parameter learns.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # what comes out
    Misconception(
        "weights_returned",
        ((CONTEXT, "return weights"),),
        says="Your forward returns the attention weights. The context vectors are asked for.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "weights_returned_too",
        ((CONTEXT, "return weights @ values, weights"),),
        says="Your forward returns a pair with the weights in it. Here the context alone is asked for.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "context_of_one_token",
        ((CONTEXT, "return weights[1] @ values"),),
        says="You return the context of one token only, as in the book's first example. Every token has one.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "output_transposed",
        ((CONTEXT, "return (weights @ values).transpose(-2, -1)"),),
        says="Your context comes out as (d_out, tokens): its last two dimensions have changed places.",
        hint="formula",
        keeps=(0, 0.1),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((CONTEXT, "return torch.zeros_like(values)"),)),
    Trivial("the_input_itself", ((CONTEXT, "return x"),)),
    Trivial("the_values", ((CONTEXT, "return values"),)),
    Trivial("the_queries", ((CONTEXT, "return queries"),)),
    Trivial("a_constant", ((CONTEXT, "return torch.ones_like(values)"),)),
    Trivial("uniform_weights", ((CONTEXT, "return values.mean(dim=-2, keepdim=True).expand_as(values)"),)),
    Trivial("nothing", ((CONTEXT, "return None"),)),
)
