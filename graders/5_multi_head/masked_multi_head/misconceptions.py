"""How people get masks of multi-head attention wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

SCORES = "scores = queries @ keys.transpose(2, 3)"
SCALED = "scaled = scores / self.d_k**0.5"
NO_MASK = "mask = torch.zeros(tokens, tokens, dtype=torch.bool, device=x.device)"
FITTING = "fitting = [(tokens, tokens), (batch, 1, tokens), (batch, tokens, tokens)]"
REFUSAL = "if tuple(mask.shape) not in fitting:"
BLOCKED = "blocked = mask if mask.dim() == 2 else mask.unsqueeze(1)"
LOWEST = "lowest = torch.finfo(scaled.dtype).min"
FILLED = "filled = scaled.masked_fill(blocked, lowest)"
SHARED = "shared = torch.softmax(filled, dim=-1)"
WEIGHTS = "weights = shared.masked_fill(blocked, 0.0)"
CONTEXTS = "contexts = weights @ values"
SIDE_BY_SIDE = "side_by_side = contexts.transpose(1, 2)"
OUTPUT = "output = self.W_O(side_by_side.reshape(batch, tokens, -1))"
RETURNED = "return output, weights"

MISCONCEPTIONS = (
    # rows that see nothing
    Misconception(
        "minus_infinity_alone",
        ((LOWEST, "lowest = -torch.inf"), (WEIGHTS, "weights = shared")),
        says=(
            "Blocked scores are minus infinity, and nothing else is done: a query with every key blocked "
            "becomes 0 / 0, which is nan."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "nan_replaced_afterwards",
        (
            (FILLED, "filled = scaled + torch.zeros_like(scaled).masked_fill(blocked, -torch.inf)"),
            (WEIGHTS, "weights = shared.nan_to_num(0.0)"),
        ),
        says=(
            "Minus infinity is added to the scores, and nan is replaced by 0 after the softmax. The weights "
            "are right, but the gradient still goes through the nan: never let it arise."
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "empty_rows_spread_evenly",
        ((WEIGHTS, "weights = shared"),),
        says=(
            "A query with every key blocked spreads its weight evenly over all of them: the blocked "
            "weights are not set to 0 after the softmax."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "empty_rows_are_unblocked",
        ((BLOCKED, BLOCKED + "\n        blocked = blocked & ~blocked.all(dim=-1, keepdim=True)"),),
        says=(
            "A query with every key blocked is treated as if it had no mask. It is to have no weights at all."
        ),
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "empty_rows_see_themselves",
        (
            (
                BLOCKED,
                "itself = torch.eye(tokens, dtype=torch.bool, device=x.device)\n"
                "        mask = mask & ~(itself & mask.all(dim=-1, keepdim=True))\n"
                "        " + BLOCKED,
            ),
        ),
        says=(
            "A query with every key blocked is allowed to see itself, to avoid the nan. It is to have no "
            "weights at all."
        ),
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "mask_unblocked_in_place",
        ((BLOCKED, "mask[mask.all(dim=-1)] = False\n        " + BLOCKED),),
        says=(
            "Rows of the mask that block everything are changed in place: the mask of the caller is "
            "different afterwards, and such a query sees everything."
        ),
        hint="nudge",
        keeps=(0.6, 0.9),
    ),
    Misconception(
        "weights_renormalised",
        (
            (FILLED, "filled = scaled"),
            (WEIGHTS, WEIGHTS + "\n        weights = weights / weights.sum(dim=-1, keepdim=True)"),
        ),
        says=(
            "The weights are blocked after the softmax and shared out again. A query with every key "
            "blocked becomes 0 / 0, which is nan."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    # where and how it is blocked
    Misconception(
        "mask_never_applied",
        ((FILLED, "filled = scaled"), (WEIGHTS, "weights = shared")),
        says=(
            "The mask is looked at and never applied, or the result of masked_fill is thrown away: "
            "without an underscore it returns a new tensor."
        ),
        hint="line",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "mask_reversed",
        ((BLOCKED, "blocked = ~(mask if mask.dim() == 2 else mask.unsqueeze(1))"),),
        says="The mask is read the wrong way round, as in the lecture: here True means blocked.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "mask_reversed_where_there_is_one",
        (
            (NO_MASK, "mask = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device)"),
            (BLOCKED, "blocked = ~(mask if mask.dim() == 2 else mask.unsqueeze(1))"),
        ),
        says=(
            "A mask is read the wrong way round, as in the lecture: here True means blocked. Without a mask "
            "the numbers are right."
        ),
        hint="nudge",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "blocked_after_the_softmax",
        ((FILLED, "filled = scaled"),),
        says=(
            "Weights are set to 0 after the softmax alone, so rows no longer sum to 1. Fill the scores "
            "before it, too."
        ),
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "fills_zero",
        ((LOWEST, "lowest = 0.0"), (WEIGHTS, "weights = shared")),
        says="Blocked scores are set to 0 (or multiplied by 0). exp(0) is 1, so blocked keys still weigh.",
        hint="formula",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "fills_minus_ten",
        ((LOWEST, "lowest = -10.0"), (WEIGHTS, "weights = shared")),
        says=(
            "Blocked scores are set to a negative number that is not low enough, such as -10. Other scores "
            "can be as low, so blocked keys still weigh."
        ),
        hint="formula",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "mask_added",
        ((FILLED, "filled = scaled + blocked"), (WEIGHTS, "weights = shared")),
        says="The mask is added to the scores, so blocked keys get 1 more instead of nothing.",
        hint="formula",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "first_head_alone",
        (
            (
                BLOCKED,
                "blocked = (mask if mask.dim() == 2 else mask.unsqueeze(1)).expand_as(scaled).clone()\n"
                "        blocked[:, 1:] = False",
            ),
        ),
        says="Only the first head obeys the mask. A mask is for all heads.",
        hint="nudge",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "no_dimension_for_heads",
        ((BLOCKED, "blocked = mask"),),
        says=(
            "A mask with a batch dimension is used without a dimension for the heads, so its batch meets the "
            "heads of the scores. That is an error or, with as many heads as sequences, silently wrong."
        ),
        hint="formula",
        keeps=(0.45, 0.75),
    ),
    Misconception(
        "first_sequence_for_all",
        ((BLOCKED, "blocked = mask if mask.dim() == 2 else mask[:1].unsqueeze(1)"),),
        says="The mask of the first sequence is used for the whole batch. Each sequence has its own.",
        hint="nudge",
        keeps=(0.4, 0.7),
    ),
    Misconception(
        "queries_and_keys_of_the_mask_swapped",
        ((BLOCKED, "blocked = mask.mT if mask.dim() == 2 else mask.mT.unsqueeze(1)"),),
        says="The mask is transposed. Its rows are queries and its columns keys already, as in the scores.",
        hint="formula",
        keeps=(0.2, 0.55),
    ),
    Misconception(
        "padding_blocks_queries",
        (
            (
                BLOCKED,
                BLOCKED
                + "\n        if mask.dim() == 3 and mask.shape[1] == 1:\n            blocked = blocked.mT",
            ),
        ),
        says=(
            "A padding mask is applied to the queries: padded tokens see nothing, and are still seen. It "
            "is the keys that are padding."
        ),
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "future_always_blocked",
        ((NO_MASK, "mask = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1)"),),
        says="When no mask is given, the future is blocked. Every token is to see every token then.",
        hint="nudge",
        keeps=(0.3, 0.6),
    ),
    # shapes of masks
    Misconception(
        "any_shape_accepted",
        ((REFUSAL, "if False:"),),
        says=(
            "The shape of the mask is never looked at, so broadcasting takes masks that block something "
            "else than was meant."
        ),
        hint="line",
        keeps=(0.9, 0.97),
    ),
    Misconception(
        "dimensions_counted_alone",
        ((REFUSAL, "if mask.dim() not in (2, 3):"),),
        says=(
            "Only the number of dimensions of the mask is looked at. Sizes that do not fit may still "
            "broadcast."
        ),
        hint="line",
        keeps=(0.9, 0.97),
    ),
    Misconception(
        "last_size_looked_at_alone",
        ((REFUSAL, "if mask.dim() not in (2, 3) or mask.shape[-1] != tokens:"),),
        says="Of the sizes of the mask only the last is looked at. The others may still broadcast.",
        hint="line",
        keeps=(0.9, 0.97),
    ),
    Misconception(
        "tables_for_each_sequence_refused",
        ((FITTING, "fitting = [(tokens, tokens), (batch, 1, tokens)]"),),
        says="A mask (batch, tokens, tokens), with a table for each sequence, is refused.",
        hint="line",
        keeps=(0.45, 0.75),
    ),
    Misconception(
        "padding_expected_without_middle",
        (
            (FITTING, "fitting = [(tokens, tokens), (batch, tokens), (batch, tokens, tokens)]"),
            (
                BLOCKED,
                "if tuple(mask.shape) == (batch, tokens):\n            mask = mask.unsqueeze(1)\n        "
                + BLOCKED,
            ),
        ),
        says="A padding mask is expected as (batch, tokens), and (batch, 1, tokens) is refused.",
        hint="line",
        keeps=(0.7, 0.9),
    ),
    # the attention itself
    Misconception(
        "not_scaled",
        ((SCALED, "scaled = scores"),),
        says="The scores are not divided by the root of d_k, so the weights are too sharp.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "scaled_by_d_model",
        ((SCALED, "scaled = scores / x.shape[-1] ** 0.5"),),
        says=(
            "The scores are divided by the root of d_model. What counts is the size of a key in one head, "
            "d_k."
        ),
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "divided_by_d_k",
        ((SCALED, "scaled = scores / self.d_k"),),
        says="The scores are divided by d_k itself, not by its root, so the weights are too even.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "queries_and_keys_swapped",
        ((SCORES, "scores = keys @ queries.transpose(2, 3)"),),
        says="Queries and keys have changed places in the scores. A row of scores belongs to one query.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "softmax_over_heads",
        ((SHARED, "shared = torch.softmax(filled, dim=1)"),),
        says=(
            "The softmax runs over dimension 1, the heads (torch takes it too when none is given). The "
            "keys are the last dimension."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "softmax_over_queries",
        ((SHARED, "shared = torch.softmax(filled, dim=2)"),),
        says="The softmax runs over dimension 2, the queries. The keys are the last dimension.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "merged_without_transposing_back",
        ((SIDE_BY_SIDE, "side_by_side = contexts"),),
        says=(
            "The heads are merged without moving them back behind the tokens, so a row of the result "
            "holds features of several tokens."
        ),
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "features_interleaved",
        ((SIDE_BY_SIDE, "side_by_side = contexts.permute(0, 2, 3, 1)"),),
        says=(
            "The merged features alternate between the heads. Put all features of head 0 first, then "
            "those of head 1."
        ),
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "w_o_never_called",
        ((OUTPUT, "output = side_by_side.reshape(batch, tokens, -1)"),),
        says="W_O is never called: the merged heads are returned as they are.",
        hint="nudge",
        keeps=(0.5, 0.75),
    ),
    # what is returned
    Misconception(
        "weights_averaged",
        ((RETURNED, "return output, weights.mean(dim=1)"),),
        says="The weights are averaged over the heads. Each head's own are asked for.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "scores_returned",
        ((RETURNED, "return output, filled"),),
        says="The scores are returned instead of the weights, which come out of the softmax.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "weights_before_the_mask_returned",
        ((RETURNED, "return output, torch.softmax(scaled, dim=-1)"),),
        says=(
            "The weights that are returned do not obey the mask, though the output does. Return the weights "
            "that you have used."
        ),
        hint="line",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "output_alone_returned",
        ((RETURNED, "return output"),),
        says="Only the output is returned. The weights are asked for too.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "order_of_the_pair_swapped",
        ((RETURNED, "return weights, output"),),
        says="The pair comes back in the wrong order: the output is first, the weights second.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    # learning, devices, number types
    Misconception(
        "weights_detached",
        ((CONTEXTS, "contexts = weights.detach() @ values"),),
        says="The weights (or the scores) are cut off from the gradient, so queries and keys never learn.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "mask_made_on_the_cpu",
        ((NO_MASK, "mask = torch.zeros(tokens, tokens, dtype=torch.bool)"),),
        says=(
            "A tensor is made on the CPU on the way: it cannot meet scores on a GPU. Make it on the "
            "device of x."
        ),
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "softmax_in_float32",
        ((SHARED, "shared = torch.softmax(filled, dim=-1, dtype=torch.float32)"),),
        says=(
            "The softmax always gives float32 weights, which do not fit the values of a module in another "
            "number type."
        ),
        hint="line",
        keeps=(0.85, 0.97),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((RETURNED, "return torch.zeros_like(output), torch.zeros_like(weights)"),)),
    Trivial("the_input_and_ones", ((RETURNED, "return x, torch.ones_like(weights)"),)),
    Trivial(
        "the_values_and_even_weights",
        ((RETURNED, "return self.W_O(self.W_V(x)), torch.full_like(weights, 1 / tokens)"),),
    ),
    Trivial(
        "everybody_sees_itself",
        ((RETURNED, "return self.W_O(self.W_V(x)), torch.eye(tokens).expand_as(weights)"),),
    ),
    Trivial("nothing", ((RETURNED, "return None"),)),
)
