"""How people get scaled dot-product attention wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

RAW = "raw = queries @ keys.transpose(-2, -1)"
SCORES = "scores = raw / keys.shape[-1] ** 0.5"
NO_MASK = "if mask is None:"
NOTHING = "mask = torch.zeros_like(scores, dtype=torch.bool)"
MASKED = "masked = scores.masked_fill(mask, torch.finfo(scores.dtype).min)"
SHARES = "shares = torch.softmax(masked, dim=-1)"
WEIGHTS = "weights = shares.masked_fill(mask, 0.0)"
CONTEXT = "context = weights @ values"
PAIR = "return context, weights"
W_SCALED = "scaled = scores / D_K**0.5"
W_WEIGHTS = "weights = torch.softmax(scaled, dim=-1)"
W_OUTPUT = "output = weights @ values"
W_THREE = "return scaled, weights, output"

MISCONCEPTIONS = (
    # the scale
    Misconception(
        "scale_forgotten",
        ((SCORES, "scores = raw"),),
        says=(
            "Your scores are not divided by the square root of the size of a key, so the weights are too "
            "uneven."
        ),
        hint="formula",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "divided_by_d_k",
        ((SCORES, "scores = raw / keys.shape[-1]"),),
        says="Your scores are divided by d_k itself, not by its square root, so the weights are too even.",
        hint="formula",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "multiplied_by_the_root",
        ((SCORES, "scores = raw / keys.shape[-1] ** -0.5"),),
        says=(
            "Your scores are multiplied by the root of d_k; dividing by d_k ** -0.5 does that too. Divide by "
            "the root."
        ),
        hint="formula",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "scaled_by_the_value_size",
        ((SCORES, "scores = raw / values.shape[-1] ** 0.5"),),
        says=(
            "Your scale is the root of the size of a value. Scores are made with keys: what counts is the "
            "size of a key."
        ),
        hint="formula",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "scaled_by_the_number_of_keys",
        ((SCORES, "scores = raw / keys.shape[-2] ** 0.5"),),
        says=(
            "Your scale is the root of the number of keys. What counts is the size of one key, its last "
            "dimension."
        ),
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "scaled_by_the_size_of_the_example",
        ((SCORES, "scores = raw / D_K**0.5"),),
        says=(
            "Your scale is that of the lecture's example, where a key has D_K = 3 numbers. Take the size of "
            "the keys that are given."
        ),
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "weights_scaled_after_the_softmax",
        ((SCORES, "scores = raw"), (WEIGHTS, WEIGHTS + " / keys.shape[-1] ** 0.5")),
        says=(
            "You divide by the root after the softmax, so the rows of weights do not sum to 1 any more. "
            "Divide the scores."
        ),
        hint="formula",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "context_scaled_too",
        ((CONTEXT, CONTEXT + " / keys.shape[-1] ** 0.5"),),
        says="Your context is divided by the root of d_k too. Only the scores are, before the softmax.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    # the softmax and the sum
    Misconception(
        "softmax_missing",
        ((SHARES, "shares = masked"),),
        says="Your weights are the scaled scores. The softmax, which makes each row sum to 1, is missing.",
        hint="formula",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "softmax_over_queries",
        ((SHARES, "shares = torch.softmax(masked, dim=-2)"),),
        says=(
            "Your softmax runs over the queries: columns sum to 1. Let the weights of each query sum to 1, "
            "over the keys."
        ),
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "softmax_over_dimension_one",
        ((SHARES, "shares = torch.softmax(masked, dim=1)"),),
        says=(
            "Your softmax runs over dimension 1. That is the keys for one sequence alone; in a batch it is "
            "the queries, and with heads the heads."
        ),
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "softmax_over_everything",
        ((SHARES, "shares = torch.softmax(masked.flatten(), dim=0).reshape(masked.shape)"),),
        says=(
            "Your softmax runs over all scores at once. Each query has a row of its own, and each row sums "
            "to 1."
        ),
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "divided_by_the_row_sum",
        ((SHARES, "shares = masked / masked.sum(dim=-1, keepdim=True)"),),
        says="Your rows are divided by their sums without the exponential, so some weights are below 0.",
        hint="formula",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "softmax_overflows",
        ((SHARES, "shares = masked.exp() / masked.exp().sum(dim=-1, keepdim=True)"),),
        says=(
            "Your softmax takes exp of large scores, which is infinite. Subtract the largest score of a row "
            "first, or use torch.softmax."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "keys_not_transposed",
        ((RAW, "raw = queries @ keys"),),
        says="Your keys are not transposed: each score is to be a dot product of one query with one key.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "keys_fully_reversed",
        ((RAW, "raw = queries @ keys.T"),),
        says=".T turns all dimensions round, the batch too. Swap the last two dimensions alone.",
        hint="line",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "keys_transposed_for_one_batch_only",
        ((RAW, "raw = queries @ keys.transpose(1, 2)"),),
        says="You swap dimensions 1 and 2. That fits a batch and nothing else: count from the end.",
        hint="line",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "queries_and_keys_swapped",
        ((RAW, "raw = keys @ queries.transpose(-2, -1)"),),
        says=(
            "Your queries and keys have changed places. A row of scores belongs to a query, a column to a "
            "key."
        ),
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "queries_unused",
        ((RAW, "raw = keys @ keys.transpose(-2, -1)"),),
        says="Your scores compare keys with keys; the queries are not used at all.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "keys_mixed_for_values",
        ((CONTEXT, "context = weights @ keys"),),
        says="Your weights mix the keys. The context is a weighted sum of the values, of size d_v.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "weights_transposed_in_the_sum",
        ((CONTEXT, "context = weights.transpose(-2, -1) @ values"),),
        says=(
            "You transpose the weights before they meet the values. Their columns already belong to the keys."
        ),
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    # what is returned
    Misconception(
        "only_the_context",
        ((PAIR, "return context"),),
        says="You return the context alone. A pair is asked for: the context, then the weights.",
        hint="line",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "weights_returned_first",
        ((PAIR, "return weights, context"),),
        says="You return the weights first. The pair is the context, then the weights.",
        hint="line",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "scores_returned_for_weights",
        ((PAIR, "return context, scores"),),
        says="The second part of your pair holds the scores. The weights are what the softmax makes of them.",
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "torchs_own_attention",
        (
            (
                CONTEXT,
                "context = torch.nn.functional.scaled_dot_product_attention(queries, keys, values, ~mask)",
            ),
        ),
        says="Torch's own attention function does the work. Here it is not allowed: write the steps out.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    # the mask
    Misconception(
        "mask_ignored",
        ((NO_MASK, "if True:"),),
        says="Your mask changes nothing: it is not used, or the result of masked_fill is thrown away.",
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "causal_by_default",
        ((NOTHING, "mask = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)"),),
        says="Without a mask your code hides later keys. Here nothing is blocked unless a mask says so.",
        hint="nudge",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "mask_required",
        (("values, mask=None):", "values, mask):"),),
        says=(
            "Your function cannot be called without a mask. The default is to be None, and then nothing is "
            "blocked."
        ),
        hint="line",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "mask_none_not_handled",
        ((NO_MASK, "if False:"),),
        says=(
            "Where no mask is given it is None, which masked_fill does not take. Ask first whether there is "
            "one."
        ),
        hint="line",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "asks_whether_the_mask_is_true",
        ((NO_MASK, "if not mask:"),),
        says=(
            "A mask of many numbers is neither true nor false, so `if mask` raises. Ask whether it `is None`."
        ),
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "mask_reversed",
        ((MASKED, MASKED.replace("mask,", "~mask,")), (WEIGHTS, WEIGHTS.replace("mask,", "~mask,"))),
        says=(
            "Your code blocks where the mask is False. Here True means blocked; in torch's own function it "
            "is the other way round."
        ),
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "mask_reversed_where_there_is_one",
        ((NO_MASK, "if mask is not None:\n        mask = ~mask\n    else:"),),
        says=(
            "Your code turns a given mask round. Here True means blocked; in torch's own function it is the "
            "other way round."
        ),
        hint="nudge",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "fills_zero",
        ((MASKED, "masked = scores.masked_fill(mask, 0.0)"), (WEIGHTS, "weights = shares")),
        says=(
            "You set blocked scores to 0 (or multiply them by 0). exp(0) is 1, so what is blocked still "
            "weighs."
        ),
        hint="nudge",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "blocked_after_the_softmax_alone",
        ((MASKED, "masked = scores"),),
        says=(
            "You block keys after the softmax alone, so a row sums to less than 1. Block before it too, or "
            "divide each row by its sum."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "mask_added_as_numbers",
        ((MASKED, "masked = scores + mask"), (WEIGHTS, "weights = shares")),
        says="You add the mask to the scores as 0 and 1: what is blocked gains weight.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "small_number_filled_in",
        ((MASKED, "masked = scores.masked_fill(mask, -10.0)"), (WEIGHTS, "weights = shares")),
        says="The number that you put on blocked scores is not low enough: a little weight is left.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "context_of_unmasked_weights",
        (
            (MASKED, "everything = torch.softmax(scores, dim=-1)\n    " + MASKED),
            (CONTEXT, "context = everything @ values"),
        ),
        says="The weights that you return are masked, but the context is made with others that are not.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "mask_for_one_number_of_dimensions",
        (
            (
                NO_MASK,
                "if mask is not None:\n        mask = mask.reshape(-1, *scores.shape[-2:])\n    else:",
            ),
        ),
        says=(
            "The mask is forced into one shape. Any mask that broadcasts is allowed, such as one row of "
            "keys a sequence."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "empty_rows_are_uniform",
        ((WEIGHTS, "weights = shares"),),
        says=(
            "A query whose keys are all blocked gets even weights. Put 0 on what is blocked after the "
            "softmax too."
        ),
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "empty_rows_are_nan",
        ((MASKED, "masked = scores.masked_fill(mask, -torch.inf)"), (WEIGHTS, "weights = shares")),
        says=(
            "A query whose keys are all blocked gets nan: a row of nothing but minus infinity has no "
            "softmax. Use the two steps of the statement."
        ),
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "nan_in_gradients",
        (
            (
                MASKED,
                "masked = scores + torch.zeros_like(scores).masked_fill(mask, -torch.inf)",
            ),
        ),
        says=(
            "Your zeros for a query without keys are put over nan. The values look right, but the nan comes "
            "back in the gradients."
        ),
        hint="nudge",
        keeps=(0.9, 0.99),
    ),
    # what else a call must do
    Misconception(
        "weights_detached",
        ((SHARES, SHARES + ".detach()"),),
        says="Your weights (or scores) are cut off from the gradient, so queries and keys never learn.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "mask_multiplied_by_a_large_number",
        (
            (
                MASKED,
                "masked = scores + mask.float() * -1e9",
            ),
        ),
        says="Your mask becomes float32 numbers, and so do the weights, whatever dtype the queries have.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "softmax_in_float32",
        ((SHARES, "shares = torch.softmax(masked, dim=-1, dtype=torch.float32)"),),
        says="Your softmax is forced to float32, so other number types fail or are changed.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "filled_from_the_cpu",
        (
            (
                MASKED,
                "lowest = torch.full(scores.shape, torch.finfo(scores.dtype).min, dtype=scores.dtype)\n"
                "    masked = torch.where(mask, lowest, scores)",
            ),
        ),
        says="You make a tensor on the CPU on the way, so the function stops when its input is on a GPU.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "queries_scaled_in_place",
        (
            (RAW, "queries.data /= keys.shape[-1] ** 0.5\n    " + RAW),
            (SCORES, "scores = raw"),
        ),
        says="You scale the given queries in place, so the caller's numbers are changed.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # the worked example
    Misconception(
        "worked_unscaled",
        ((W_SCALED, "scaled = scores"),),
        says=(
            "worked_example does not scale: its softmax is that of the raw scores, 0.8179 for love with love."
        ),
        hint="formula",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "worked_divided_by_three",
        ((W_SCALED, "scaled = scores / D_K"),),
        says="worked_example divides by 3, not by the square root of 3.",
        hint="formula",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "worked_scaled_by_the_input_size",
        ((W_SCALED, "scaled = scores / 4**0.5"),),
        says=(
            "worked_example divides by 2, as if a key had 4 numbers. That is the size of the lecture's "
            "inputs; D_K is 3."
        ),
        hint="formula",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "worked_multiplied",
        ((W_SCALED, "scaled = scores * D_K**0.5"),),
        says="worked_example multiplies by the root of 3 instead of dividing.",
        hint="formula",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "worked_rounded",
        ((W_SCALED, "scaled = (scores / D_K**0.5).round(decimals=2)"),),
        says="worked_example rounds to the two decimals that are printed. Go on with all digits.",
        hint="line",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "worked_scaled_by_the_number_of_tokens",
        ((W_SCALED, "scaled = scores / scores.shape[-1] ** 0.5"),),
        says=(
            "worked_example takes the number of tokens for the size of a key. In the lecture's example both "
            "are 3, by chance."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "worked_columns",
        ((W_WEIGHTS, "weights = torch.softmax(scaled, dim=0)"),),
        says="worked_example makes columns sum to 1. A row belongs to a query, and rows sum to 1.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "worked_row_sums",
        ((W_WEIGHTS, "weights = scaled / scaled.sum(dim=-1, keepdim=True)"),),
        says="worked_example divides each row by its sum, without the exponential.",
        hint="formula",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "worked_all_nine",
        ((W_WEIGHTS, "weights = torch.softmax(scaled.flatten(), dim=0).reshape(scaled.shape)"),),
        says="worked_example takes one softmax over the whole table. Each row has one of its own.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "worked_base_two",
        ((W_WEIGHTS, "weights = 2**scaled / (2**scaled).sum(dim=-1, keepdim=True)"),),
        says="worked_example takes powers of 2. The softmax takes powers of e = 2.718.",
        hint="formula",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "worked_not_normalised",
        ((W_WEIGHTS, "weights = scaled.exp()"),),
        says="worked_example takes the exponentials and does not divide them by the sum of their row.",
        hint="formula",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "worked_softmax_of_raw_scores",
        ((W_WEIGHTS, "weights = torch.softmax(scores, dim=-1)"),),
        says="worked_example scales the scores, but takes the softmax of the unscaled ones.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "worked_weights_transposed",
        ((W_OUTPUT, "output = weights.T @ values"),),
        says=(
            "worked_example turns the weights round before the sum. A row of weights makes a row of the "
            "output."
        ),
        hint="formula",
        keeps=(0.85, 0.95),
    ),
    Misconception(
        "worked_mixes_with_scores",
        ((W_OUTPUT, "output = scaled @ values"),),
        says="worked_example mixes the values with the scaled scores. The weights come after the softmax.",
        hint="formula",
        keeps=(0.85, 0.95),
    ),
    Misconception(
        "worked_in_place",
        ((W_SCALED, "scores /= D_K**0.5\n    scaled = scores"),),
        says="worked_example divides the scores in place, so the caller's numbers are changed.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
)

TRIVIAL = (
    Trivial(
        "zeros",
        (
            (PAIR, "return torch.zeros_like(context), torch.zeros_like(weights)"),
            (W_THREE, "return scores * 0, scores * 0, values * 0"),
        ),
    ),
    Trivial(
        "uniform_weights",
        (
            (SHARES, "shares = torch.ones_like(masked) / masked.shape[-1]"),
            (W_SCALED, "scaled = scores * 0"),
        ),
    ),
    Trivial(
        "the_input_itself", ((PAIR, "return values, scores"), (W_THREE, "return scores, scores, values"))
    ),
    Trivial(
        "the_first_value",
        (
            (SHARES, "shares = torch.zeros_like(masked)\n    shares[..., 0] = 1.0"),
            (W_THREE, "return scores, torch.eye(len(scores)), values"),
        ),
    ),
    Trivial(
        "printed_numbers",
        (
            (PAIR, "return torch.full_like(context, 0.3061), torch.full_like(weights, 0.15)"),
            (
                W_THREE,
                "weights = torch.tensor([[0.4674, 0.3120, 0.2206], [0.1696, 0.6400, 0.1904], "
                "[0.2093, 0.2636, 0.5271]])\n    return torch.log(weights), weights, weights @ values",
            ),
        ),
    ),
    Trivial("nothing", ((PAIR, "return None"), (W_THREE, "return None"))),
)
