"""How people get CrossAttention wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

REFUSAL = "if d_target % n_heads != 0:"
Q_LAYER = "self.W_Q = nn.Linear(d_target, d_target, bias=False)"
K_LAYER = "self.W_K = nn.Linear(d_source, d_target, bias=False)"
V_LAYER = "self.W_V = nn.Linear(d_source, d_target, bias=False)"
O_LAYER = "self.W_O = nn.Linear(d_target, d_target, bias=False)"
ASKED = "asked = self.W_Q(target)"
OFFERED = "offered = self.W_K(source)"
GIVEN = "given = self.W_V(source)"
QUERIES = "queries = asked.unflatten(-1, split).transpose(1, 2)"
KEYS = "keys = offered.unflatten(-1, split).transpose(1, 2)"
VALUES = "values = given.unflatten(-1, split).transpose(1, 2)"
RAW = "raw = queries @ keys.transpose(2, 3)"
SCORES = "scores = raw / self.d_k**0.5"
NO_MASK = "mask = torch.zeros(source.shape[:2], dtype=torch.bool, device=source.device)"
BLOCKED = "blocked = mask[:, None, None, :]"
MASKED = "masked = scores.masked_fill(blocked, torch.finfo(scores.dtype).min)"
SHARES = "shares = torch.softmax(masked, dim=-1)"
WEIGHTS = "weights = shares.masked_fill(blocked, 0.0)"
CONTEXTS = "contexts = weights @ values"
SIDE_BY_SIDE = "side_by_side = contexts.transpose(1, 2)"
OUTPUT = "output = self.W_O(side_by_side.flatten(2))"
RETURNED = "return output, weights"

MISCONCEPTIONS = (
    # which sequence is which
    Misconception(
        "parts_changed",
        (
            (Q_LAYER, "self.W_Q = nn.Linear(d_source, d_target, bias=False)"),
            (K_LAYER, "self.W_K = nn.Linear(d_target, d_target, bias=False)"),
            (V_LAYER, "self.W_V = nn.Linear(d_target, d_target, bias=False)"),
            (ASKED, "asked = self.W_Q(source)"),
            (OFFERED, "offered = self.W_K(target)"),
            (GIVEN, "given = self.W_V(target)"),
        ),
        says=(
            "Target and source have changed parts: the source asks, the target answers. Queries come from "
            "the target, keys and values from the source."
        ),
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "parts_changed_in_forward",
        (
            (ASKED, "asked = self.W_Q(source)"),
            (OFFERED, "offered = self.W_K(target)"),
            (GIVEN, "given = self.W_V(target)"),
        ),
        says=(
            "The layers have the right widths, but in forward W_Q gets the source, and W_K and W_V get the "
            "target. It is the other way round."
        ),
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "queries_from_the_source",
        ((ASKED, "asked = self.W_Q(source)"),),
        says="The queries are made from the source. It is the target that asks.",
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "keys_from_the_target",
        ((OFFERED, "offered = self.W_K(target)"),),
        says="The keys are made from the target, so its tokens are compared with each other.",
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "values_from_the_target",
        ((GIVEN, "given = self.W_V(target)"),),
        says="The values are made from the target. What is mixed into the output is the source.",
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "source_never_read",
        ((OFFERED, "offered = self.W_K(target)"), (GIVEN, "given = self.W_V(target)")),
        says=(
            "Keys and values are made from the target: that is self-attention, and the source is never read."
        ),
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "values_are_the_source",
        ((GIVEN, "given = source"),),
        says="The source is mixed as it is. Its values are made by W_V.",
        hint="formula",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "values_made_by_the_keys_layer",
        ((GIVEN, "given = self.W_K(source)"),),
        says="The values are made by W_K. They have a layer of their own, W_V.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "first_source_remembered",
        (
            (
                OFFERED,
                "if not hasattr(self, 'known'):\n            self.known = source\n"
                "        source = self.known\n        " + OFFERED,
            ),
        ),
        says=(
            "The module keeps the source of its first call, and later calls read that one. What a call "
            "gives depends on its arguments alone."
        ),
        hint="nudge",
        keeps=(0.6, 0.95),
    ),
    # sizes and layers
    Misconception(
        "widths_of_the_layers_confused",
        (
            (K_LAYER, "self.W_K = nn.Linear(d_target, d_target, bias=False)"),
            (V_LAYER, "self.W_V = nn.Linear(d_target, d_target, bias=False)"),
        ),
        says="W_K and W_V read d_target features. What they read is the source, which has d_source.",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "arguments_of_linear_swapped",
        (
            (K_LAYER, "self.W_K = nn.Linear(d_target, d_source, bias=False)"),
            (V_LAYER, "self.W_V = nn.Linear(d_target, d_source, bias=False)"),
        ),
        says="W_K and W_V are made the wrong way round: nn.Linear takes the size of its input first.",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "layers_with_a_bias",
        (
            (Q_LAYER, "self.W_Q = nn.Linear(d_target, d_target)"),
            (K_LAYER, "self.W_K = nn.Linear(d_source, d_target)"),
            (V_LAYER, "self.W_V = nn.Linear(d_source, d_target)"),
            (O_LAYER, "self.W_O = nn.Linear(d_target, d_target)"),
        ),
        says="The layers have a bias. All four are to have none.",
        hint="line",
        keeps=(0.6, 0.97),
    ),
    Misconception(
        "output_layer_with_a_bias",
        ((O_LAYER, "self.W_O = nn.Linear(d_target, d_target)"),),
        says="W_O has a bias, so a sentence without a visible source does not get zeros. It is to have none.",
        hint="line",
        keeps=(0.6, 0.97),
    ),
    Misconception(
        "any_number_of_heads_accepted",
        ((REFUSAL, "if False:"),),
        says=(
            "A number of heads that does not divide d_target is accepted; features are lost, or forward "
            "breaks."
        ),
        hint="line",
        keeps=(0.85, 0.97),
    ),
    # the mask
    Misconception(
        "mask_never_applied",
        ((MASKED, "masked = scores"), (WEIGHTS, "weights = shares")),
        says="The mask is never applied, or the result of masked_fill is thrown away.",
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "mask_reversed",
        ((BLOCKED, "blocked = ~mask[:, None, None, :]"),),
        says="The mask is read the wrong way round: here True means blocked.",
        hint="nudge",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "mask_reversed_where_there_is_one",
        (
            (NO_MASK, "mask = torch.ones(source.shape[:2], dtype=torch.bool, device=source.device)"),
            (BLOCKED, "blocked = ~mask[:, None, None, :]"),
        ),
        says=(
            "A mask is read the wrong way round: here True means blocked. Without a mask the numbers are "
            "right."
        ),
        hint="nudge",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "mask_on_the_queries",
        ((BLOCKED, "blocked = mask[:, None, :, None] if mask.any() else mask[:, None, None, :]"),),
        says="The mask is laid on the queries. It is the source that is padded, so it blocks keys.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "mask_without_room_for_heads_and_queries",
        ((BLOCKED, "blocked = mask"),),
        says=(
            "The mask (batch, n_source) meets the last two dimensions of the scores, so its batch is taken "
            "for queries. It lacks two dimensions, for heads and queries."
        ),
        hint="formula",
        keeps=(0.0, 0.3),
    ),
    Misconception(
        "mask_with_one_dimension_too_few",
        ((BLOCKED, "blocked = mask[:, None, :]"),),
        says=(
            "The mask has one new dimension, so its batch is taken for heads. It lacks two, for heads and "
            "queries."
        ),
        hint="formula",
        keeps=(0.0, 0.3),
    ),
    Misconception(
        "first_mask_for_all",
        ((BLOCKED, "blocked = mask[:1, None, None, :]"),),
        says="The mask of the first sentence is used for the whole batch. Each sentence has its own.",
        hint="nudge",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "first_head_alone",
        (
            (
                BLOCKED,
                "blocked = mask[:, None, None, :].expand_as(scores).clone()\n        blocked[:, 1:] = False",
            ),
        ),
        says="Only the first head obeys the mask. It is for all heads.",
        hint="nudge",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "future_blocked",
        ((BLOCKED, BLOCKED + "\n        blocked = blocked | torch.ones_like(raw[0, 0]).triu(1).bool()"),),
        says=(
            "Source tokens behind the place of the target token are blocked, as the future is in causal "
            "attention. The whole source is there from the beginning."
        ),
        hint="nudge",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "minus_infinity_alone",
        ((MASKED, "masked = scores.masked_fill(blocked, -torch.inf)"), (WEIGHTS, "weights = shares")),
        says=(
            "Blocked scores are minus infinity, and nothing else is done: a sentence that is all padding "
            "becomes 0 / 0, which is nan."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "nan_replaced_afterwards",
        (
            (MASKED, "masked = scores + torch.zeros_like(scores).masked_fill(blocked, -torch.inf)"),
            (WEIGHTS, "weights = shares.nan_to_num(0.0)"),
        ),
        says=(
            "Minus infinity is added to the scores, and nan is replaced by 0 after the softmax. The weights "
            "are right, but the gradient still goes through the nan: never let it arise."
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "empty_sentences_spread_evenly",
        ((WEIGHTS, "weights = shares"),),
        says=(
            "A sentence that is all padding spreads its weight evenly over it: blocked weights are not set "
            "to 0 after the softmax."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "empty_sentences_are_unblocked",
        ((BLOCKED, "blocked = (mask & ~mask.all(dim=-1, keepdim=True))[:, None, None, :]"),),
        says=(
            "A sentence that is all padding is treated as if it had no mask. It is to have no weights at all."
        ),
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "blocked_after_the_softmax",
        ((MASKED, "masked = scores"),),
        says="Weights are set to 0 after the softmax alone, so rows no longer sum to 1. Fill the scores too.",
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "fills_zero",
        ((MASKED, "masked = scores.masked_fill(blocked, 0.0)"), (WEIGHTS, "weights = shares")),
        says="Blocked scores are set to 0. exp(0) is 1, so blocked tokens still weigh.",
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "source_zeroed",
        (
            (
                OFFERED,
                "silent = 1.0 if mask is None else (~mask)[..., None].to(source.dtype)\n        "
                "offered = self.W_K(source * silent)",
            ),
            (GIVEN, "given = self.W_V(source * silent)"),
            (MASKED, "masked = scores"),
            (WEIGHTS, "weights = shares"),
        ),
        says=(
            "Blocked source tokens are set to 0 before they are projected. Their scores are 0 then, not "
            "their weights, and the others get too little."
        ),
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "source_zeroed_in_place",
        (
            (
                OFFERED,
                "if mask is not None:\n            with torch.no_grad():\n"
                "                source.masked_fill_(mask[..., None], 0.0)\n        " + OFFERED,
            ),
        ),
        says="Padded tokens of the caller's source are set to 0 in place. The source is not yours to change.",
        hint="line",
        keeps=(0.4, 0.97),
    ),
    Misconception(
        "mask_unblocked_in_place",
        ((BLOCKED, "mask[mask.all(dim=-1)] = False\n        " + BLOCKED),),
        says=(
            "Masks that block a whole sentence are changed in place: the caller's mask is different "
            "afterwards, and such a sentence is seen."
        ),
        hint="nudge",
        keeps=(0.6, 0.9),
    ),
    # scores and weights
    Misconception(
        "not_scaled",
        ((SCORES, "scores = raw"),),
        says="The scores are not divided by the root of d_k, so the weights are too sharp.",
        hint="formula",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "scaled_by_d_target",
        ((SCORES, "scores = raw / target.shape[-1] ** 0.5"),),
        says=(
            "The scores are divided by the root of d_target. What counts is the size of a key in one head, "
            "d_k."
        ),
        hint="formula",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "scaled_by_d_source",
        ((SCORES, "scores = raw / source.shape[-1] ** 0.5"),),
        says=(
            "The scores are divided by the root of d_source, the width before W_K. What counts is the size "
            "of a key in one head, d_k."
        ),
        hint="formula",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "divided_by_d_k",
        ((SCORES, "scores = raw / self.d_k"),),
        says="The scores are divided by d_k itself, not by its root, so the weights are too even.",
        hint="formula",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "softmax_over_queries",
        ((SHARES, "shares = torch.softmax(masked, dim=2)"),),
        says="The softmax runs over the target tokens. Each target token shares out 1 over the source.",
        hint="formula",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "softmax_over_heads",
        ((SHARES, "shares = torch.softmax(masked, dim=1)"),),
        says="The softmax runs over dimension 1, the heads. The source tokens are the last dimension.",
        hint="formula",
        keeps=(0.1, 0.4),
    ),
    # heads
    Misconception(
        "split_without_transposing",
        (
            (QUERIES, "queries = asked.reshape(len(target), self.n_heads, -1, self.d_k)"),
            (KEYS, "keys = offered.reshape(len(source), self.n_heads, -1, self.d_k)"),
            (VALUES, "values = given.reshape(len(source), self.n_heads, -1, self.d_k)"),
        ),
        says=(
            "The features are cut into (heads, tokens) at once, so a head holds whole tokens, not a part of "
            "each. Split the features first, then transpose."
        ),
        hint="line",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "features_dealt_out_in_turn",
        (
            (QUERIES, "queries = asked.unflatten(-1, (self.d_k, self.n_heads)).permute(0, 3, 1, 2)"),
            (KEYS, "keys = offered.unflatten(-1, (self.d_k, self.n_heads)).permute(0, 3, 1, 2)"),
            (VALUES, "values = given.unflatten(-1, (self.d_k, self.n_heads)).permute(0, 3, 1, 2)"),
        ),
        says="Features are dealt out to the heads in turn. Head 0 has the first d_k, head 1 the next.",
        hint="line",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "merged_without_transposing_back",
        ((SIDE_BY_SIDE, "side_by_side = contexts.reshape(*target.shape[:2], self.n_heads, self.d_k)"),),
        says=(
            "The heads are merged without moving them back behind the tokens, so a row of the result holds "
            "features of several tokens."
        ),
        hint="line",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "features_interleaved",
        ((SIDE_BY_SIDE, "side_by_side = contexts.permute(0, 2, 3, 1)"),),
        says=(
            "The merged features alternate between the heads. Put all of head 0 first, then those of head 1."
        ),
        hint="line",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "w_o_never_called",
        ((OUTPUT, "output = side_by_side.flatten(2)"),),
        says="W_O is never called: the merged heads are returned as they are.",
        hint="line",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        "target_added",
        ((RETURNED, "return output + target, weights"),),
        says=(
            "The target is added to the output. The layer around this one does that; here the output is "
            "W_O's."
        ),
        hint="nudge",
        keeps=(0.35, 0.6),
    ),
    # what is returned
    Misconception(
        "weights_averaged",
        ((RETURNED, "return output, weights.mean(dim=1)"),),
        says=(
            "The weights are averaged over the heads, as torch does by itself. Each head's own are asked for."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "weights_transposed",
        ((RETURNED, "return output, weights.mT"),),
        says="The weights are transposed. Their rows are target tokens, their columns source tokens.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "scores_returned",
        ((RETURNED, "return output, scores"),),
        says="The scores are returned instead of the weights, which come out of the softmax.",
        hint="line",
        keeps=(0.1, 0.4),
    ),
    Misconception(
        "weights_before_the_mask_returned",
        ((RETURNED, "return output, torch.softmax(scores, dim=-1)"),),
        says=(
            "The weights that are returned do not obey the mask, though the output does. Return those that "
            "you have used."
        ),
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "mask_for_the_returned_weights_alone",
        ((CONTEXTS, "contexts = torch.softmax(scores, dim=-1) @ values"),),
        says="The weights that are returned obey the mask, but the output is made with others, which do not.",
        hint="line",
        keeps=(0.6, 0.9),
    ),
    Misconception(
        "dimensions_of_one_lost",
        ((RETURNED, "return output.squeeze(), weights"),),
        says="squeeze() removes each dimension that happens to be 1: a batch of one, a target of one token.",
        hint="line",
        keeps=(0.8, 0.97),
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
        "source_detached",
        ((OFFERED, "source = source.detach()\n        " + OFFERED),),
        says="The source is cut off from the gradient, so the encoder that made it never learns.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "weights_detached",
        ((CONTEXTS, "contexts = weights.detach() @ values"),),
        says="The weights (or the scores) are cut off from the gradient, so W_Q and W_K never learn.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "mask_made_on_the_cpu",
        ((NO_MASK, "mask = torch.zeros(source.shape[:2], dtype=torch.bool)"),),
        says="A tensor is made on the CPU on the way: it cannot meet scores on a GPU.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "mask_as_long_as_the_target",
        ((NO_MASK, "mask = torch.zeros(target.shape[:2], dtype=torch.bool, device=target.device)"),),
        says=(
            "The mask that stands in for none is made as long as the target. Keys are blocked, so it is as "
            "long as the source."
        ),
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "softmax_in_float32",
        ((SHARES, "shares = torch.softmax(masked, dim=-1, dtype=torch.float32)"),),
        says="The softmax always gives float32 weights, which do not fit the values of another number type.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((RETURNED, "return torch.zeros_like(output), torch.zeros_like(weights)"),)),
    Trivial("the_target_and_ones", ((RETURNED, "return target, torch.ones_like(weights)"),)),
    Trivial(
        "the_mean_and_even_weights",
        (
            (
                RETURNED,
                "return self.W_O(given.mean(1, keepdim=True).expand_as(target)), "
                "torch.full_like(weights, 1 / source.shape[1])",
            ),
        ),
    ),
    Trivial("nothing", ((RETURNED, "return None"),)),
)
