"""How people get MultiHeadAttention wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

PAIRS = "every_pair = torch.ones(context_length, context_length, dtype=torch.bool)"
REFUSAL = "if d_out % num_heads != 0:"
HEAD_DIM = "self.head_dim = d_out // num_heads"
OUT_PROJ = "self.out_proj = nn.Linear(d_out, d_out)"
QUERIES = "queries = self.W_query(x)"
SPLIT = "split = (batch, num_tokens, self.num_heads, self.head_dim)"
SPLIT_QUERIES = "queries = queries.view(split).transpose(1, 2)"
SPLIT_KEYS = "keys = keys.view(split).transpose(1, 2)"
SPLIT_VALUES = "values = values.view(split).transpose(1, 2)"
SCORES = "scores = queries @ keys.transpose(2, 3)"
FUTURE = "future = self.mask[:num_tokens, :num_tokens]"
MASKED = "masked = scores.masked_fill(future, -torch.inf)"
SCALED = "scaled = masked / self.head_dim**0.5"
WEIGHTS = "weights = torch.softmax(scaled, dim=-1)"
DROPPED = "dropped = self.dropout(weights)"
CONTEXTS = "contexts = dropped @ values"
SIDE_BY_SIDE = "side_by_side = contexts.transpose(1, 2)"
MERGED = "merged = side_by_side.reshape(batch, num_tokens, -1)"
OUTPUT = "return self.out_proj(merged)"

NO_TRANSPOSE = "split = (batch, self.num_heads, num_tokens, self.head_dim)"

MISCONCEPTIONS = (
    # number types
    Misconception(
        "mask_of_float32_is_added",
        ((MASKED, "masked = scores + torch.where(future, float('-inf'), 0.0)"),),
        says=(
            "What is added to the scores is made of Python's numbers, so it is float32, and the sum is not "
            "in the number type of the scores. Fill the scores, or make the tensor in their dtype."
        ),
        hint="line",
        keeps=(0.9, 0.97),
    ),
    # splitting
    Misconception(
        "split_without_transpose",
        (
            (SPLIT, NO_TRANSPOSE),
            (SPLIT_QUERIES, "queries = queries.view(split)"),
            (SPLIT_KEYS, "keys = keys.view(split)"),
            (SPLIT_VALUES, "values = values.view(split)"),
        ),
        says=(
            "The features are viewed straight as (batch, heads, tokens, head_dim): that mixes tokens and "
            "heads. Split the last dimension, then swap heads and tokens."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "values_split_without_transpose",
        ((SPLIT_VALUES, "values = values.view(batch, self.num_heads, num_tokens, self.head_dim)"),),
        says=(
            "Queries and keys are split rightly, the values are viewed straight as (batch, heads, tokens, "
            "head_dim), so a head mixes features of other tokens."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "heads_stay_behind_the_tokens",
        (
            (SPLIT_QUERIES, "queries = queries.view(split)"),
            (SPLIT_KEYS, "keys = keys.view(split)"),
            (SPLIT_VALUES, "values = values.view(split)"),
            (SIDE_BY_SIDE, "side_by_side = contexts"),
        ),
        says=(
            "Heads and tokens are not swapped, so the product compares the heads of one token with each "
            "other, not the tokens of one head."
        ),
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "heads_and_head_dim_swapped",
        ((SPLIT, "split = (batch, num_tokens, self.head_dim, self.num_heads)"),),
        says=(
            "num_heads and head_dim have changed places in the split: that makes head_dim heads of "
            "num_heads features each."
        ),
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "heads_take_every_nth_feature",
        (
            (SPLIT, "split = (batch, num_tokens, self.head_dim, self.num_heads)"),
            (SPLIT_QUERIES, "queries = queries.view(split).permute(0, 3, 1, 2)"),
            (SPLIT_KEYS, "keys = keys.view(split).permute(0, 3, 1, 2)"),
            (SPLIT_VALUES, "values = values.view(split).permute(0, 3, 1, 2)"),
            (SIDE_BY_SIDE, "side_by_side = contexts.permute(0, 2, 3, 1)"),
        ),
        says=(
            "A head takes every num_heads-th feature. It is to take neighbours: head 0 the first head_dim "
            "features, head 1 the next."
        ),
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "never_split",
        ((SPLIT, "split = (batch, num_tokens, 1, -1)"), (SCALED, "scaled = masked / keys.shape[-1] ** 0.5")),
        says="The features are never split: this is one head of size d_out, whatever num_heads says.",
        hint="nudge",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "all_heads_use_the_first_ones_weights",
        (
            (SPLIT_QUERIES, "queries = queries.view(split)[:, :, :1].transpose(1, 2)"),
            (SPLIT_KEYS, "keys = keys.view(split)[:, :, :1].transpose(1, 2)"),
        ),
        says=(
            "All heads use the queries and keys of the first one, so they all look at the same tokens. Each "
            "head has weights of its own."
        ),
        hint="nudge",
        keeps=(0.25, 0.45),
    ),
    Misconception(
        "features_sliced_instead_of_split",
        (
            (SPLIT_QUERIES, "queries = queries[:, None, :, : self.head_dim]"),
            (SPLIT_KEYS, "keys = keys[:, None, :, : self.head_dim]"),
            (SPLIT_VALUES, "values = values[:, None, :, : self.head_dim].expand(-1, self.num_heads, -1, -1)"),
        ),
        says=(
            "Every head gets the first head_dim features, and the others are never used. Head h begins at "
            "feature h times head_dim."
        ),
        hint="formula",
        keeps=(0.25, 0.45),
    ),
    Misconception(
        "width_of_the_wrapper",
        (
            ("self.W_query = nn.Linear(d_in, d_out,", "self.W_query = nn.Linear(d_in, d_out * num_heads,"),
            ("self.W_key = nn.Linear(d_in, d_out,", "self.W_key = nn.Linear(d_in, d_out * num_heads,"),
            ("self.W_value = nn.Linear(d_in, d_out,", "self.W_value = nn.Linear(d_in, d_out * num_heads,"),
            (HEAD_DIM, "self.head_dim = d_out"),
            (OUT_PROJ, "self.out_proj = nn.Linear(d_out * num_heads, d_out)"),
        ),
        says=(
            "Each head is d_out wide, as in the wrapper. Here all heads together are d_out wide, and each "
            "has d_out / num_heads features."
        ),
        hint="formula",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "any_number_of_heads_accepted",
        ((REFUSAL, "if d_out < num_heads:"),),
        says=(
            "A number of heads that does not divide d_out is accepted when the module is made; the remainder "
            "is found out much later, if at all."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "d_in_is_tested",
        ((REFUSAL, "if d_in % num_heads != 0:"),),
        says="It is d_in that is tested for divisibility. What the heads share are the d_out features.",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    # scores, scale and softmax
    Misconception(
        "keys_not_transposed",
        ((SCORES, "scores = queries @ keys"),),
        says="The keys are not transposed: each score is to be a dot product of one query with one key.",
        hint="formula",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "keys_swap_heads_and_tokens",
        ((SCORES, "scores = queries @ keys.transpose(1, 2)"),),
        says=(
            "transpose(1, 2) was right for three dimensions. With a heads dimension it swaps heads and "
            "tokens: the last two are 2 and 3."
        ),
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "queries_and_keys_swapped",
        ((SCORES, "scores = keys @ queries.transpose(2, 3)"),),
        says="Queries and keys have changed places in the scores. A row of scores belongs to one query.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "keys_mixed_for_values",
        ((CONTEXTS, "contexts = dropped @ keys"),),
        says="The weights mix the keys. The context is a weighted sum of the values.",
        hint="formula",
        keeps=(0.2, 0.45),
    ),
    Misconception(
        "scaled_by_d_out",
        ((SCALED, "scaled = masked / self.out_proj.in_features**0.5"),),
        says=(
            "The scores are divided by the root of d_out. What counts is the size of a key within one head, "
            "head_dim."
        ),
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "scaled_by_d_in",
        ((SCALED, "scaled = masked / x.shape[-1] ** 0.5"),),
        says=(
            "The scores are divided by the root of d_in, the size of the input. What counts is the size of a "
            "key within one head, head_dim."
        ),
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "scaled_by_num_heads",
        ((SCALED, "scaled = masked / self.num_heads**0.5"),),
        says="The scores are divided by the root of the number of heads, not of the size of a head.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "not_scaled",
        ((SCALED, "scaled = masked"),),
        says="The scores are not divided by the root of head_dim, so the weights are too sharp.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "multiplied_by_root",
        ((SCALED, "scaled = masked / self.head_dim**-0.5"),),
        says=(
            "The scores are multiplied by the root of head_dim. They are to be divided by it. (To divide by "
            "the power -0.5 is to multiply by the root.)"
        ),
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "root_of_an_int",
        ((SCALED, "scaled = masked / torch.sqrt(self.head_dim)"),),
        says="torch.sqrt works on tensors, and head_dim is a plain number.",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "softmax_over_heads",
        ((WEIGHTS, "weights = torch.softmax(scaled, dim=1)"),),
        says=(
            "The softmax runs over dimension 1, which is the heads now (torch takes it too when none is "
            "given). The keys are the last dimension."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "softmax_over_queries",
        ((WEIGHTS, "weights = torch.softmax(scaled, dim=2)"),),
        says="The softmax runs over dimension 2, the queries. The keys are the last dimension.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    # the mask
    Misconception(
        "mask_never_used",
        ((MASKED, "masked = scores"),),
        says="The mask is not applied to the scores: every token sees the future.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "fill_thrown_away",
        ((MASKED, "masked = scores\n        masked.masked_fill(future, -torch.inf)"),),
        says=(
            "The result of masked_fill is thrown away: without an underscore it returns a new tensor, so "
            "nothing is masked."
        ),
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "mask_reversed",
        ((MASKED, "masked = scores.masked_fill(~future, -torch.inf)"),),
        says="The mask is used the wrong way round: True means blocked, and here the past is blocked.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "fills_zero",
        ((MASKED, "masked = scores.masked_fill(future, 0.0)"),),
        says="Future scores are set to 0 (or multiplied by 0). exp(0) is 1, so the future still weighs.",
        hint="formula",
        keeps=(0.1, 0.3),
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
        says="The mask is used whole. A shorter input needs its first tokens x tokens part.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "mask_made_on_the_cpu",
        (
            (
                FUTURE,
                "assert num_tokens <= len(self.mask)\n"
                "        future = torch.ones(num_tokens, num_tokens, dtype=torch.bool).triu(diagonal=1)",
            ),
        ),
        says=(
            "The mask is made in forward, on the CPU: it cannot meet scores on a GPU. The buffer moves with "
            "the module."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "long_inputs_cut_off",
        (
            (
                "batch, num_tokens, _ = x.shape",
                "x = x[:, : len(self.mask)]\n        batch, num_tokens, _ = x.shape",
            ),
        ),
        says="An input that is too long is cut off in silence; the exercise asks for an error.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # dropout
    Misconception(
        "dropout_missing",
        ((DROPPED, "dropped = weights"),),
        says="Dropout is never applied: in train mode no weight is dropped.",
        hint="nudge",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "dropout_on_scores",
        ((MASKED, "scores = self.dropout(scores)\n        " + MASKED), (DROPPED, "dropped = weights")),
        says="Dropout is applied to the scores. A score of 0 is no weight of 0: apply it after the softmax.",
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "dropout_on_contexts",
        ((DROPPED, "dropped = weights"), (CONTEXTS, "contexts = self.dropout(weights @ values)")),
        says=(
            "Dropout is applied to the contexts of the heads: it drops single features. Whole weights are to "
            "be dropped."
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "dropout_on_output",
        ((DROPPED, "dropped = weights"), (OUTPUT, "return self.dropout(self.out_proj(merged))")),
        says="Dropout is applied after out_proj: it drops features of the output, not attention weights.",
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "dropout_twice",
        ((CONTEXTS, "contexts = self.dropout(dropped) @ values"),),
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
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "dropout_in_eval_mode",
        ((DROPPED, "dropped = nn.functional.dropout(weights, self.dropout.p)"),),
        says=(
            "Dropout acts in eval mode too: the function does not know the mode of the module. Use the layer "
            "that is given."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    # merging
    Misconception(
        "merged_without_transposing_back",
        ((SIDE_BY_SIDE, "side_by_side = contexts"),),
        says=(
            "The heads are merged without moving them back behind the tokens, so a row of the result holds "
            "features of several tokens."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "wrong_pair_transposed_back",
        ((SIDE_BY_SIDE, "side_by_side = contexts.transpose(2, 3)"),),
        says=(
            "Before merging, the wrong pair of dimensions is swapped: it is heads and tokens, 1 and 2, that "
            "must change places."
        ),
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "features_interleaved",
        ((SIDE_BY_SIDE, "side_by_side = contexts.permute(0, 2, 3, 1)"),),
        says=(
            "The merged features alternate between the heads. Put all features of head 0 first, then those "
            "of head 1."
        ),
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "heads_joined_along_tokens",
        ((MERGED, "merged = contexts.flatten(1, 2)"),),
        says=(
            "The heads are joined along the tokens, one after another. They belong side by side, in the "
            "feature dimension."
        ),
        hint="formula",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "heads_added_up",
        (
            (OUT_PROJ, "self.out_proj = nn.Linear(self.head_dim, d_out)"),
            (MERGED, "merged = contexts.mean(dim=1)"),
        ),
        says=(
            "The heads are averaged (or added up), and out_proj takes only head_dim features. Put the heads "
            "side by side."
        ),
        hint="formula",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "view_of_a_transposed_tensor",
        ((MERGED, "merged = side_by_side.view(batch, num_tokens, -1)"),),
        says=(
            "After transpose the numbers do not lie in the order that view needs. Use reshape, or "
            "contiguous() before view."
        ),
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "merged_to_d_in",
        ((MERGED, "merged = side_by_side.reshape(batch, num_tokens, x.shape[-1])"),),
        says="The heads are merged into d_in features. Together they have d_out; the two need not be equal.",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    # out_proj
    Misconception(
        "out_proj_never_called",
        ((OUTPUT, "return merged"),),
        says="out_proj is made and never called: the merged heads are returned as they are.",
        hint="nudge",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "no_out_proj",
        ((OUT_PROJ, "pass"), (OUTPUT, "return merged")),
        says="The layer out_proj is missing: the merged heads are returned as they are.",
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "out_proj_without_bias",
        ((OUT_PROJ, "self.out_proj = nn.Linear(d_out, d_out, bias=False)"),),
        says="out_proj has no bias. It is to have one; qkv_bias speaks of queries, keys and values alone.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        "out_proj_biased_like_the_others",
        ((OUT_PROJ, "self.out_proj = nn.Linear(d_out, d_out, bias=qkv_bias)"),),
        says=(
            "out_proj has a bias only if qkv_bias says so. That argument speaks of queries, keys and values "
            "alone; out_proj always has one."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    # how it is done
    Misconception(
        "loops_over_heads",
        (
            (
                CONTEXTS,
                "each = [dropped[:, h] @ values[:, h] for h in range(self.num_heads)]\n"
                "        contexts = torch.stack(each, dim=1)",
            ),
        ),
        says=(
            "A loop treats the heads one after another. The result is right; the exercise asks for one "
            "batched product that serves all of them."
        ),
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "torchs_function",
        (
            (
                SCORES,
                "contexts = nn.functional.scaled_dot_product_attention(\n"
                "            queries, keys, values, attn_mask=~self.mask[:num_tokens, :num_tokens],\n"
                "            dropout_p=self.dropout.p if self.training else 0.0,\n"
                "        )\n"
                "        return self.out_proj(contexts.transpose(1, 2).flatten(2))\n"
                "        " + SCORES,
            ),
        ),
        says=(
            "Torch's scaled_dot_product_attention does the work. The result is right; the exercise is to "
            "write it yourself."
        ),
        hint="nudge",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "torchs_module",
        (
            (OUT_PROJ, "self.attention = nn.MultiheadAttention(d_out, num_heads, dropout, batch_first=True)"),
            (
                SPLIT,
                "future = self.mask[:num_tokens, :num_tokens]\n"
                "        return self.attention(queries, keys, values, attn_mask=future)[0]\n"
                "        " + SPLIT,
            ),
        ),
        says=(
            "nn.MultiheadAttention does the work, and projects a second time. The exercise is to write it "
            "yourself, with an out_proj of its own."
        ),
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    # learning, number types, results
    Misconception(
        "weights_detached",
        ((WEIGHTS, WEIGHTS + ".detach()"),),
        says="The weights (or the scores) are cut off from the gradient, so queries and keys never learn.",
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
        "first_sequence_for_all",
        (
            (SCORES, "scores = queries @ keys[:1].transpose(2, 3)"),
            (CONTEXTS, "contexts = dropped @ values[:1]"),
        ),
        says="Keys and values of the first sequence serve the whole batch. Each sequence has its own.",
        hint="nudge",
        keeps=(0.1, 0.35),
    ),
    Misconception(
        "weights_returned_too",
        ((OUTPUT, "return self.out_proj(merged), weights"),),
        says="forward returns a pair with the weights in it. Here the output alone is asked for.",
        hint="line",
        keeps=(0.0, 0.15),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((OUTPUT, "return torch.zeros_like(merged)"),)),
    Trivial("a_constant", ((OUTPUT, "return torch.ones_like(merged)"),)),
    Trivial("the_input_itself", ((OUTPUT, "return x"),)),
    Trivial("the_bias_of_out_proj", ((OUTPUT, "return self.out_proj(torch.zeros_like(merged))"),)),
    Trivial("the_values_projected", ((OUTPUT, "return self.out_proj(self.W_value(x))"),)),
    Trivial("the_values", ((OUTPUT, "return self.W_value(x)"),)),
    Trivial("no_mask", ((OUTPUT, "return self.W_value(x).mean(dim=1, keepdim=True).expand_as(merged)"),)),
    Trivial("nothing", ((OUTPUT, "return None"),)),
)
