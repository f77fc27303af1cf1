"""How people get CausalAttention wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

CLASS = "class CausalAttention(nn.Module):"
Q_LAYER = "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)"
K_LAYER = "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)"
V_LAYER = "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)"
DROPOUT = "self.dropout = nn.Dropout(dropout)"
PAIRS = "every_pair = torch.ones(context_length, context_length, dtype=torch.bool)"
BUFFER = 'self.register_buffer("mask", '
ABOVE = "torch.triu(every_pair, diagonal=1)"
QUERIES = "queries = self.W_query(x)"
KEYS = "keys = self.W_key(x)"
VALUES = "values = self.W_value(x)"
TOKENS = "num_tokens = x.shape[1]"
SCORES = "scores = queries @ keys.transpose(1, 2)"
FUTURE = "future = self.mask[:num_tokens, :num_tokens]"
MASKED = "masked = scores.masked_fill(future, -torch.inf)"
SCALED = "scaled = masked / keys.shape[-1] ** 0.5"
WEIGHTS = "weights = torch.softmax(scaled, dim=-1)"
DROPPED = "dropped = self.dropout(weights)"
CONTEXT = "return dropped @ values"

MISCONCEPTIONS = (
    # the mask
    Misconception(
        "fill_thrown_away",
        ((MASKED, "masked = scores\n        masked.masked_fill(future, -torch.inf)"),),
        says=(
            "The result of masked_fill is thrown away: without an underscore it returns a new tensor, so "
            "nothing is masked."
        ),
        hint="line",
        keeps=(0.15, 0.3),
    ),
    Misconception(
        "mask_never_used",
        ((MASKED, "masked = scores"),),
        says="The mask is made but never applied to the scores: every token sees the future.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "diagonal_blocked",
        ((ABOVE, "torch.triu(every_pair)"),),
        says=(
            "The mask blocks the diagonal too: a token does not see itself. Nothing is left for the first "
            "token, and its context is nan."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "one_future_token_visible",
        ((ABOVE, "torch.triu(every_pair, diagonal=2)"),),
        says="The mask begins one step too far to the right: each token still sees the one after it.",
        hint="nudge",
        keeps=(0.15, 0.3),
    ),
    Misconception(
        "mask_reversed",
        ((ABOVE, "torch.tril(every_pair)"),),
        says=(
            "The mask holds the visible keys but is used as the blocked ones, so the past is hidden and the "
            "future is not."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "tril_for_triu",
        ((ABOVE, "torch.tril(every_pair, diagonal=1)"),),
        says=(
            "The mask takes the lower triangle and one diagonal more, so it blocks the past and the next "
            "token."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "past_blocked",
        ((ABOVE, "torch.tril(every_pair, diagonal=-1)"),),
        says=(
            "The mask lies on the wrong side of the diagonal: it hides the past and leaves the future "
            "visible."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "mask_of_floats",
        ((", dtype=torch.bool", ""),),
        says=(
            "The mask is made of the floats 0 and 1, and masked_fill takes booleans only: turn it into "
            "booleans first."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "fills_zero",
        ((MASKED, "masked = scores.masked_fill(future, 0.0)"),),
        says="Future scores are set to 0 (or multiplied by 0). exp(0) is 1, so the future still weighs.",
        hint="formula",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        "fills_minus_ten",
        ((MASKED, "masked = scores.masked_fill(future, -10.0)"),),
        says=(
            "Future scores are set to a negative number that is not low enough, such as -10. Other scores "
            "can be as low, so the future still weighs."
        ),
        hint="formula",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        "fills_plus_infinity",
        ((MASKED, "masked = scores.masked_fill(future, torch.inf)"),),
        says=(
            "Future scores are set to plus infinity, and the softmax of such a row is nan. The sign is wrong."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "adds_the_mask",
        ((MASKED, "masked = scores + future"),),
        says="The mask is added to the scores, so the future gets 1 more instead of minus infinity.",
        hint="formula",
        keeps=(0.15, 0.3),
    ),
    Misconception(
        "zero_times_infinity",
        ((MASKED, "masked = scores + future * -torch.inf"),),
        says=(
            "The mask is multiplied by minus infinity. Where it is 0 that gives nan, and nan spreads to "
            "every output."
        ),
        hint="line",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "masks_finished_weights",
        ((MASKED, "masked = scores"), (WEIGHTS, WEIGHTS + ".masked_fill(future, 0.0)")),
        says="Weights are zeroed after the softmax, and rows no longer sum to 1. Block the scores before it.",
        hint="formula",
        keeps=(0.15, 0.3),
    ),
    Misconception(
        "renormalises_finished_weights",
        (
            (MASKED, "masked = scores"),
            (
                WEIGHTS,
                WEIGHTS
                + ".masked_fill(future, 0.0)\n        weights = weights / weights.sum(dim=-1, keepdim=True)",
            ),
        ),
        says=(
            "Weights are zeroed after the softmax and shared out again. If a later token has a very large "
            "score, nothing is left to share out: 0 / 0 is nan."
        ),
        hint="formula",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "mask_not_sliced",
        ((FUTURE, "future = self.mask"),),
        says=(
            "The mask is used whole (or cut in one dimension only). A shorter input needs its first tokens x "
            "tokens part."
        ),
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "mask_sliced_in_one_dimension",
        (
            (FUTURE, "future = self.mask[:num_tokens]"),
            (MASKED, "masked = torch.where(future, -torch.inf, scores)"),
        ),
        says=(
            "The mask is cut in one dimension only. A shorter input needs its first tokens x tokens part: "
            "cut the queries and the keys."
        ),
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "mask_sliced_from_the_end",
        ((FUTURE, "future = self.mask[:num_tokens, -num_tokens:]"),),
        says=(
            "The columns of the mask are cut from its end. For shorter inputs that blocks visible tokens too."
        ),
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "mask_sliced_by_batch",
        ((TOKENS, "num_tokens = x.shape[0]"),),
        says=(
            "The mask is cut to the number of sequences. The number of tokens is the second size of the "
            "input."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "mask_is_a_plain_tensor",
        ((BUFFER, "self.mask = ("),),
        says=(
            "The mask is a plain attribute. Only a registered buffer moves with the module to another device."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "mask_is_a_parameter",
        ((BUFFER, "self.mask = nn.Parameter(requires_grad=False, data="),),
        says=(
            "The mask is a Parameter: it is counted, and handed to optimisers, as if it were learned. Make "
            "it a buffer."
        ),
        hint="line",
        keeps=(0.88, 0.99),
    ),
    Misconception(
        "mask_made_in_forward",
        (
            (BUFFER + ABOVE + ")", "self.context_length = context_length"),
            (
                FUTURE,
                "assert num_tokens <= self.context_length\n"
                "        every_pair = torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=x.device)\n"
                "        future = " + ABOVE,
            ),
        ),
        says=(
            "The mask is made anew in every call. That works; the exercise asks for a buffer that is made "
            "once."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "mask_made_on_the_cpu",
        (
            (BUFFER + ABOVE + ")", "self.context_length = context_length"),
            (
                FUTURE,
                "assert num_tokens <= self.context_length\n"
                "        every_pair = torch.ones(num_tokens, num_tokens, dtype=torch.bool)\n"
                "        future = " + ABOVE,
            ),
        ),
        says=(
            "The mask is made in forward, on the CPU: it cannot meet scores on a GPU. A buffer moves with "
            "the module."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "short_mask_made_on_the_cpu",
        (
            (
                FUTURE,
                "future = self.mask\n"
                "        if num_tokens < len(future):\n"
                "            future = torch.ones(num_tokens, num_tokens, dtype=torch.bool).triu(diagonal=1)",
            ),
        ),
        says=(
            "Shorter inputs get a new mask, made on the CPU, which cannot meet scores on a GPU. Take a part "
            "of the buffer."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "any_length_accepted",
        (
            (BUFFER + ABOVE + ")", "pass"),
            (
                FUTURE,
                "every_pair = torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=x.device)\n"
                "        future = " + ABOVE,
            ),
        ),
        says=(
            "The mask is made in forward, for any length, so context_length has no effect and an input of "
            "any length is accepted. Make a buffer once, for context_length tokens."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "long_inputs_cut_off",
        ((QUERIES, "x = x[:, : self.mask.shape[0]]\n        " + QUERIES),),
        says="An input that is too long is cut off in silence; the exercise asks for an error.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # scale and softmax
    Misconception(
        "not_scaled",
        ((SCALED, "scaled = masked"),),
        says=(
            "The scores are not divided by the square root of the size of a key, so the weights are too "
            "sharp."
        ),
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "scaled_by_d_in",
        ((SCALED, "scaled = masked / x.shape[-1] ** 0.5"),),
        says=(
            "The scores are divided by the root of d_in, the size of the input. What counts is the size of a "
            "key, d_out."
        ),
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "scaled_by_tokens",
        ((SCALED, "scaled = masked / scores.shape[-1] ** 0.5"),),
        says=(
            "The scores are divided by the root of their own last size, the number of tokens. What counts is "
            "the size of a key."
        ),
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "divided_by_d_k",
        ((SCALED, "scaled = masked / keys.shape[-1]"),),
        says=(
            "The scores are divided by the size of a key itself, not by its square root, so the weights are "
            "too even."
        ),
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "multiplied_by_root",
        ((SCALED, "scaled = masked / keys.shape[-1] ** -0.5"),),
        says=(
            "The scores are multiplied by the root of the size of a key. They are to be divided by it. (To "
            "divide by the power -0.5 is to multiply by the root.)"
        ),
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "root_of_an_int",
        ((SCALED, "scaled = masked / torch.sqrt(keys.shape[-1])"),),
        says="torch.sqrt works on tensors, and the size of a key is a plain number.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "weights_scaled",
        ((SCALED, "scaled = masked"), (WEIGHTS, WEIGHTS + " / keys.shape[-1] ** 0.5")),
        says=(
            "The weights are divided by the root, after the softmax, and no longer sum to 1. Divide the "
            "scores."
        ),
        hint="formula",
        keeps=(0.3, 0.45),
    ),
    Misconception(
        "softmax_over_queries",
        ((WEIGHTS, "weights = torch.softmax(scaled, dim=1)"),),
        says="The softmax runs over dimension 1, the queries. With a batch the keys are the last dimension.",
        hint="formula",
        keeps=(0.15, 0.3),
    ),
    Misconception(
        "softmax_over_the_batch",
        ((WEIGHTS, "weights = torch.softmax(scaled, dim=0)"),),
        says=(
            "The softmax runs over dimension 0, the batch (torch takes it too when none is given). Take the "
            "last."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "softmax_missing",
        ((WEIGHTS, "weights = scaled"),),
        says="The scores are used as weights, with minus infinity among them: the softmax is missing.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "softmax_too_late",
        ((WEIGHTS, "weights = scaled"), (CONTEXT, "return torch.softmax(dropped @ values, dim=-1)")),
        says=(
            "The softmax is taken of the context vectors. It belongs on the scores, before they meet the "
            "values."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    # dropout
    Misconception(
        "dropout_missing",
        ((DROPPED, "dropped = weights"),),
        says="Dropout is never applied: in train mode no weight is dropped.",
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "dropout_rate_ignored",
        ((DROPOUT, "self.dropout = nn.Dropout()"),),
        says="The argument dropout is not handed on, so half of the weights are dropped whatever it says.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "dropout_rate_is_kept",
        ((DROPOUT, "self.dropout = nn.Dropout(1 - dropout)"),),
        says="The rate is taken for the share of weights to keep. It is the share to drop.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "dropout_on_scores",
        ((MASKED, "scores = self.dropout(scores)\n        " + MASKED), (DROPPED, "dropped = weights")),
        says="Dropout is applied to the scores. A score of 0 is no weight of 0: apply it after the softmax.",
        hint="formula",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "dropout_on_masked_scores",
        ((WEIGHTS, "weights = torch.softmax(self.dropout(scaled), dim=-1)"), (DROPPED, "dropped = weights")),
        says=(
            "Dropout is applied to masked scores: 0 times minus infinity is nan. Apply it after the softmax."
        ),
        hint="formula",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "dropout_on_context",
        ((DROPPED, "dropped = weights"), (CONTEXT, "return self.dropout(weights @ values)")),
        says=(
            "Dropout is applied to the context vectors: it drops single features. Here whole weights are to "
            "be dropped."
        ),
        hint="formula",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "dropout_on_values",
        ((DROPPED, "dropped = weights"), (CONTEXT, "return weights @ self.dropout(values)")),
        says="Dropout is applied to the values, so all queries lose the same features. Drop weights instead.",
        hint="formula",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "dropout_on_inputs",
        ((QUERIES, "x = self.dropout(x)\n        " + QUERIES), (DROPPED, "dropped = weights")),
        says="Dropout is applied to the input, before the projections. Drop attention weights instead.",
        hint="formula",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "dropout_twice",
        ((CONTEXT, "return self.dropout(dropped) @ values"),),
        says="Dropout is applied twice, so more weights are dropped than the rate says.",
        hint="nudge",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "survivors_scaled_twice",
        ((DROPPED, "dropped = self.dropout(weights) / (1 - self.dropout.p)"),),
        says=(
            "The weights are divided by 1 - p once more after dropout, in eval mode too. nn.Dropout has done "
            "it already, in train mode alone."
        ),
        hint="formula",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "survivors_renormalised",
        ((CONTEXT, "dropped = dropped / dropped.sum(dim=-1, keepdim=True)\n        " + CONTEXT),),
        says=(
            "Rows are brought back to the sum 1 after dropout: that undoes its scaling, and an empty row "
            "becomes nan."
        ),
        hint="formula",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "dropout_in_eval_mode",
        (
            (DROPOUT, "self.rate = dropout"),
            (DROPPED, "dropped = nn.functional.dropout(weights, self.rate)"),
        ),
        says=(
            "Dropout acts in eval mode too: functional dropout, or a layer made in forward, does not know "
            "the mode."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    # batches
    Misconception(
        "keys_fully_reversed",
        ((SCORES, "scores = queries @ keys.T"),),
        says=".T turns all three dimensions round, the batch too. Swap the last two dimensions alone.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "keys_swapped_with_batch",
        ((SCORES, "scores = queries @ keys.transpose(0, 1)"),),
        says=(
            "The keys are transposed in their first two dimensions, so the batch changes place with the "
            "tokens."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "keys_not_transposed",
        ((SCORES, "scores = queries @ keys"),),
        says="The keys are not transposed: each score is to be a dot product of one query with one key.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "first_sequence_for_all",
        ((SCORES, "scores = queries @ keys[0].T"), (CONTEXT, "return dropped @ values[0]")),
        says="Keys and values of the first sequence serve the whole batch. Each sequence has its own.",
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "batch_flattened",
        ((QUERIES, "x = x.reshape(1, -1, x.shape[-1])\n        " + QUERIES),),
        says=(
            "The sequences of a batch are joined into one long one, so they see each other. Keep the batch "
            "dimension."
        ),
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "output_transposed",
        ((CONTEXT, "return (dropped @ values).transpose(1, 2)"),),
        says="The context comes out as (batch, d_out, tokens): its last two dimensions have changed places.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "weights_returned_too",
        ((CONTEXT, "return dropped @ values, weights"),),
        says="forward returns a pair with the weights in it. Here the context alone is asked for.",
        hint="line",
        keeps=(0, 0.1),
    ),
    # queries, keys and values
    Misconception(
        "queries_and_keys_swapped",
        ((SCORES, "scores = keys @ queries.transpose(1, 2)"),),
        says="Queries and keys have changed places in the scores. A row of scores belongs to one query.",
        hint="formula",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "queries_and_values_swapped",
        ((SCORES, "scores = values @ keys.transpose(1, 2)"), (CONTEXT, "return dropped @ queries")),
        says=(
            "Queries and values have changed places. The scores are to compare queries with keys, and the "
            "weights to mix values."
        ),
        hint="formula",
        keeps=(0.3, 0.45),
    ),
    Misconception(
        "query_unused",
        ((SCORES, "scores = keys @ keys.transpose(1, 2)"),),
        says="The scores compare keys with keys; the queries are not used at all.",
        hint="formula",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "keys_from_the_query_layer",
        ((KEYS, "keys = self.W_query(x)"),),
        says="The keys are made with W_query; W_key is never used and never learns.",
        hint="line",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "keys_mixed_for_values",
        ((CONTEXT, "return dropped @ keys"),),
        says="The weights mix the keys. The context is a weighted sum of the values.",
        hint="formula",
        keeps=(0.3, 0.45),
    ),
    Misconception(
        "inputs_mixed_for_values",
        ((CONTEXT, "return dropped @ x"),),
        says="The weights mix the raw inputs. The context is a weighted sum of the values, of size d_out.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "no_projections",
        ((QUERIES, "queries = x"), (KEYS, "keys = x"), (VALUES, "values = x")),
        says="Inputs are used as queries, keys and values; the three trained projections are left out.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "weight_not_transposed",
        ((QUERIES, "queries = x @ self.W_query.weight"),),
        says=(
            "The input is multiplied by a layer's weight as it is stored, (d_out, d_in). Call the layer "
            "instead."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "bias_always",
        (
            (Q_LAYER, "self.W_query = nn.Linear(d_in, d_out)"),
            (K_LAYER, "self.W_key = nn.Linear(d_in, d_out)"),
            (V_LAYER, "self.W_value = nn.Linear(d_in, d_out)"),
        ),
        says="The projections always have a bias. They have one only if qkv_bias says so.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "bias_never",
        (
            (Q_LAYER, Q_LAYER.replace("qkv_bias", "False")),
            (K_LAYER, K_LAYER.replace("qkv_bias", "False")),
            (V_LAYER, V_LAYER.replace("qkv_bias", "False")),
        ),
        says="The argument qkv_bias is ignored: the projections never have a bias.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    # learning, and what a call leaves behind
    Misconception(
        "weights_detached",
        ((WEIGHTS, WEIGHTS + ".detach()"),),
        says="The weights (or the scores) are cut off from the gradient, so queries and keys never learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "projections_frozen",
        ((DROPOUT, "self.requires_grad_(False)\n        " + DROPOUT),),
        says="The projections do not ask for gradients, so the module cannot learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "softmax_in_float32",
        ((WEIGHTS, "weights = torch.softmax(scaled, dim=-1, dtype=torch.float32)"),),
        says=(
            "The softmax always gives float32 weights, which do not fit the values of a module in another "
            "number type."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "keys_cached",
        (
            (DROPOUT, "self.cache = ()\n        " + DROPOUT),
            (KEYS, "keys = torch.cat([*self.cache, self.W_key(x)], dim=1)\n        self.cache = (keys,)"),
        ),
        says="Keys of earlier calls are kept and used again. A call must depend on its own input alone.",
        hint="nudge",
        keeps=(0.6, 0.75),
    ),
    Misconception(
        "output_projected",
        (
            (DROPOUT, "self.out_proj = nn.Linear(d_out, d_out)\n        " + DROPOUT),
            (CONTEXT, "return self.out_proj(dropped @ values)"),
        ),
        says=(
            "The context goes through one more linear layer. That belongs to multi-head attention, not here."
        ),
        hint="formula",
        keeps=(0.25, 0.45),
    ),
    Misconception(
        "notebook_global_used",
        ((CLASS, "d_out = 2\n\n\n" + CLASS), (SCALED, "scaled = masked / d_out**0.5")),
        says=(
            "forward takes d_out from the notebook (2 in the book's example). Take the size of a key from "
            "the keys, or keep it in the module."
        ),
        hint="line",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "layers_made_in_forward",
        (
            (Q_LAYER, "self.sizes = d_in, d_out, qkv_bias"),
            (K_LAYER, "pass"),
            (V_LAYER, "pass"),
            (QUERIES, "layers = [nn.Linear(*self.sizes) for _ in range(3)]\n        queries = layers[0](x)"),
            (KEYS, "keys = layers[1](x)"),
            (VALUES, "values = layers[2](x)"),
        ),
        says=(
            "The projections are made anew in every call, with random weights that nothing can train or save."
        ),
        hint="nudge",
        keeps=(0, 0.1),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((CONTEXT, "return torch.zeros_like(values)"),)),
    Trivial("the_input_itself", ((CONTEXT, "return x"),)),
    Trivial("the_values", ((CONTEXT, "return values"),)),
    Trivial("the_queries", ((CONTEXT, "return queries"),)),
    Trivial("a_constant", ((CONTEXT, "return torch.ones_like(values)"),)),
    Trivial("uniform_weights", ((CONTEXT, "return values.mean(dim=1, keepdim=True).expand_as(values)"),)),
    Trivial("uniform_over_the_past", ((SCORES, SCORES + " * 0"),)),
    Trivial("the_first_value", ((CONTEXT, "return values[:, :1].expand_as(values)"),)),
    Trivial("no_mask", ((CONTEXT, "return torch.softmax(scores, dim=-1) @ values"),)),
    Trivial("nothing", ((CONTEXT, "return None"),)),
)
