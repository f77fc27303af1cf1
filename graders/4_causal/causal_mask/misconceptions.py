"""How people get causal_mask wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

MASK = "every_pair = torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=device)"
ABOVE = "torch.triu(every_pair, diagonal=1)"
RETURN_MASK = "return " + ABOVE
USED_AFTER = "mask = causal_mask(weights.shape[-1], device=weights.device)"
USED_BEFORE = "mask = causal_mask(scores.shape[-1], device=scores.device)"
KEPT = "kept = weights.masked_fill(mask, 0.0)"
ROW_SUMS = "row_sums = kept.sum(dim=-1, keepdim=True)"
SHARED_OUT = "return kept / row_sums"
MASKED = "masked = scores.masked_fill(mask, -torch.inf)"
SCALED = "scaled = masked / d_k**0.5"
SOFTMAX = "return torch.softmax(scaled, dim=-1)"

MISCONCEPTIONS = (
    # causal_mask
    Misconception(
        "diagonal_blocked",
        ((ABOVE, "torch.triu(every_pair)"),),
        says=(
            "Your mask blocks the diagonal too: a token does not see itself, and the first row has nothing "
            "left."
        ),
        hint="nudge",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        "one_future_token_visible",
        ((ABOVE, "torch.triu(every_pair, diagonal=2)"),),
        says="Your mask begins one step too far to the right: each token still sees the one after it.",
        hint="nudge",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        "mask_reversed",
        ((ABOVE, "torch.tril(every_pair)"),),
        says="Your mask says True where a key may be seen. Here True means blocked, so you hide the past.",
        hint="nudge",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        "tril_for_triu",
        ((ABOVE, "torch.tril(every_pair, diagonal=1)"),),
        says=(
            "Your mask takes the lower triangle and one diagonal more, so it blocks the past and the next "
            "token."
        ),
        hint="nudge",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        "past_blocked",
        ((ABOVE, "torch.tril(every_pair, diagonal=-1)"),),
        says=(
            "Your mask lies on the wrong side of the diagonal: it hides the past and leaves the future "
            "visible."
        ),
        hint="nudge",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        "nothing_blocked",
        ((ABOVE, "torch.zeros_like(every_pair)"),),
        says="Your mask is False everywhere: it blocks nothing, and every token sees the future.",
        hint="nudge",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        "mask_of_floats",
        (
            (", dtype=torch.bool, device=device", ", device=device"),
            (USED_AFTER, "mask = causal_mask(weights.shape[-1], device=weights.device).bool()"),
            (USED_BEFORE, "mask = causal_mask(scores.shape[-1], device=scores.device).bool()"),
        ),
        says="Your mask is made of the numbers 0 and 1 as floats; a mask of this course is boolean.",
        hint="line",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "float_mask_fills",
        ((", dtype=torch.bool, device=device", ", device=device"),),
        says="Your mask is made of floats, and torch fills only where a boolean mask says so.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "mask_of_integers",
        ((", dtype=torch.bool, device=device", ", dtype=torch.uint8, device=device"),),
        says="Your mask is made of small integers, and torch fills only where a boolean mask says so.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "six_tokens_always",
        ((MASK, MASK.replace("num_tokens, num_tokens", "6, 6")),),
        says=(
            "Your mask always has six rows and columns, the size of the book's example, whatever num_tokens "
            "is."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "device_forgotten",
        ((", dtype=torch.bool, device=device", ", dtype=torch.bool"),),
        says=(
            "causal_mask does not use its argument device: the mask stays on the CPU when the scores are on "
            "a GPU."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "mask_made_on_the_cpu",
        (
            (USED_AFTER, "mask = causal_mask(weights.shape[-1])"),
            (USED_BEFORE, "mask = causal_mask(scores.shape[-1])"),
        ),
        says=(
            "mask_after_softmax and mask_before_softmax make their mask on the CPU instead of the device of "
            "their input, so a run on a GPU fails."
        ),
        hint="line",
        keeps=(0.9, 0.99),
    ),
    # mask_after_softmax
    Misconception(
        "after_rows_not_shared_out",
        ((SHARED_OUT, "return kept"),),
        says=(
            "mask_after_softmax leaves rows that do not sum to 1: what the future had must be shared out "
            "again."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_divides_by_old_sums",
        ((ROW_SUMS, "row_sums = weights.sum(dim=-1, keepdim=True)"),),
        says=(
            "mask_after_softmax divides by the row sums from before the masking, which are 1, so rows stay "
            "short."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_column_sums",
        ((ROW_SUMS, "row_sums = kept.sum(dim=-2, keepdim=True)"),),
        says=(
            "mask_after_softmax divides by the sums of the columns. A query's weights are a row, and rows "
            "must sum to 1."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_sums_over_dim_1",
        ((ROW_SUMS, "row_sums = kept.sum(dim=1, keepdim=True)"),),
        says=(
            "mask_after_softmax sums over dimension 1. That is the row of one matrix, but not of a batch: "
            "take the last."
        ),
        hint="line",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_sums_over_dim_0",
        ((ROW_SUMS, "row_sums = kept.sum(dim=0, keepdim=True)"),),
        says=(
            "mask_after_softmax sums over dimension 0: the column of one matrix, or the items of a batch. "
            "Take the last."
        ),
        hint="line",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_row_sums_lie_flat",
        ((ROW_SUMS, "row_sums = kept.sum(dim=-1)"),),
        says=(
            "In mask_after_softmax the row sums lose their last dimension, so each sum is lined up with a "
            "column instead of its row."
        ),
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "after_sum_of_everything",
        ((ROW_SUMS, "row_sums = kept.sum()"),),
        says=(
            "mask_after_softmax divides by the sum of all weights together. Each row must sum to 1 by itself."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_divides_by_count",
        ((ROW_SUMS, "row_sums = (~mask).sum(dim=-1, keepdim=True)"),),
        says=(
            "mask_after_softmax divides by how many tokens are visible; it must divide by the sum of their "
            "weights."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_second_softmax",
        ((SHARED_OUT, "return torch.softmax(kept, dim=-1)"),),
        says=(
            "mask_after_softmax uses a softmax to share rows out. It turns the zeros of the future into "
            "weights: divide."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_minus_infinity",
        ((KEPT, "kept = weights.masked_fill(mask, -torch.inf)"),),
        says=(
            "mask_after_softmax puts minus infinity among finished weights. A weight is taken out by a 0; "
            "minus infinity is for scores."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_keeps_the_future",
        ((KEPT, "kept = weights * mask"),),
        says=(
            "mask_after_softmax multiplies by the mask itself. It is 1 where a key is blocked, so only the "
            "future stays."
        ),
        hint="nudge",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_fill_thrown_away",
        ((KEPT, "kept = weights\n    kept.masked_fill(mask, 0.0)"),),
        says=(
            "In mask_after_softmax the result of masked_fill is thrown away: without an underscore it "
            "returns a new tensor."
        ),
        hint="line",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "after_changes_its_argument",
        ((KEPT, "kept = weights.masked_fill_(mask, 0.0)"),),
        says=(
            "mask_after_softmax writes its zeros into the tensor that the caller still owns; make a new one."
        ),
        hint="line",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "after_cuts_the_gradient",
        ((KEPT, "kept = weights.detach().masked_fill(mask, 0.0)"),),
        says="mask_after_softmax cuts its input off from the gradient, so nothing before it can learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "after_in_float32",
        ((KEPT, "kept = weights.float().masked_fill(mask, 0.0)"),),
        says=(
            "mask_after_softmax always answers in float32; its result must have the number type of the "
            "weights."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # mask_before_softmax
    Misconception(
        "before_fills_zero",
        ((MASKED, "masked = scores.masked_fill(mask, 0.0)"),),
        says=(
            "mask_before_softmax sets future scores to 0 (or multiplies them by 0). exp(0) is 1, so they "
            "still weigh."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "before_fills_minus_ten",
        ((MASKED, "masked = scores.masked_fill(mask, -10.0)"),),
        says=(
            "mask_before_softmax sets future scores to a negative number that is not low enough, such as "
            "-10. Other scores can be as low, so the future still weighs."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "before_fills_plus_infinity",
        ((MASKED, "masked = scores.masked_fill(mask, torch.inf)"),),
        says=(
            "mask_before_softmax sets future scores to plus infinity, and the softmax of such a row is nan. "
            "The sign is wrong."
        ),
        hint="formula",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_adds_the_mask",
        ((MASKED, "masked = scores + mask"),),
        says=(
            "mask_before_softmax adds the mask to the scores, so the future gets 1 more instead of minus "
            "infinity."
        ),
        hint="formula",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_zero_times_infinity",
        ((MASKED, "masked = scores + mask * -torch.inf"),),
        says=(
            "mask_before_softmax multiplies the mask by minus infinity. Where the mask is 0 that is nan, and "
            "nan spreads."
        ),
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_fill_thrown_away",
        ((MASKED, "masked = scores\n    masked.masked_fill(mask, -torch.inf)"),),
        says=(
            "In mask_before_softmax the result of masked_fill is thrown away: without an underscore it "
            "returns a new tensor."
        ),
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_changes_its_argument",
        ((MASKED, "masked = scores.masked_fill_(mask, -torch.inf)"),),
        says=(
            "mask_before_softmax writes minus infinity into the scores that the caller still owns; make a "
            "new tensor."
        ),
        hint="line",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "before_cuts_the_gradient",
        ((MASKED, "masked = scores.detach().masked_fill(mask, -torch.inf)"),),
        says=(
            "mask_before_softmax cuts its input off from the gradient, so queries and keys would never learn."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "before_not_scaled",
        ((SCALED, "scaled = masked"),),
        says=(
            "mask_before_softmax does not divide the scores by the square root of d_k, so its weights are "
            "too sharp."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "before_divides_by_d_k",
        ((SCALED, "scaled = masked / d_k"),),
        says=(
            "mask_before_softmax divides the scores by d_k itself, not by its square root, so its weights "
            "are too even."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "before_multiplies_by_root",
        ((SCALED, "scaled = masked / d_k**-0.5"),),
        says=(
            "mask_before_softmax multiplies the scores by the root of d_k instead of dividing by it. (To "
            "divide by the power -0.5 is to multiply by the root.)"
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "before_scales_by_tokens",
        ((SCALED, "scaled = masked / scores.shape[-1] ** 0.5"),),
        says=(
            "mask_before_softmax scales by the number of tokens, the last size of the scores. d_k is the "
            "size of a key."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "before_root_of_an_int",
        ((SCALED, "scaled = masked / torch.sqrt(d_k)"),),
        says="mask_before_softmax asks torch.sqrt for the root of a plain number; it works on tensors only.",
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "before_scales_the_weights",
        ((SCALED, "scaled = masked"), (SOFTMAX, SOFTMAX + " / d_k**0.5")),
        says=(
            "mask_before_softmax divides the weights, after the softmax; rows no longer sum to 1. Divide the "
            "scores."
        ),
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "before_softmax_over_queries",
        ((SOFTMAX, "return torch.softmax(scaled, dim=-2)"),),
        says=(
            "mask_before_softmax takes its softmax down the columns, over the queries. It is the weights of "
            "one query, a row, that must sum to 1."
        ),
        hint="formula",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_softmax_over_dim_1",
        ((SOFTMAX, "return torch.softmax(scaled, dim=1)"),),
        says=(
            "mask_before_softmax takes its softmax over dimension 1. These are the keys of one matrix, but "
            "the queries of a batch: take the last."
        ),
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_softmax_over_dim_0",
        ((SOFTMAX, "return torch.softmax(scaled, dim=0)"),),
        says=(
            "mask_before_softmax takes its softmax over dimension 0 (or leaves it to torch, which takes 0 "
            "for a batch). Take the last one."
        ),
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_softmax_missing",
        ((SOFTMAX, "return scaled"),),
        says=(
            "mask_before_softmax returns masked scores, with minus infinity in them; the softmax is missing."
        ),
        hint="formula",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_masks_finished_weights",
        (
            (MASKED, "masked = scores"),
            (SOFTMAX, "return torch.softmax(scaled, dim=-1).masked_fill(mask, 0.0)"),
        ),
        says=(
            "mask_before_softmax zeroes weights after the softmax and leaves the rows short of 1. Block the "
            "scores."
        ),
        hint="formula",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_minus_infinity_too_late",
        (
            (MASKED, "masked = scores"),
            (SOFTMAX, "return torch.softmax(scaled, dim=-1).masked_fill(mask, -torch.inf)"),
        ),
        says=(
            "mask_before_softmax puts minus infinity into finished weights. It belongs in the scores, before "
            "the softmax."
        ),
        hint="formula",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "before_does_it_after",
        (
            (MASKED, "masked = scores"),
            (SOFTMAX, "return mask_after_softmax(torch.softmax(scaled, dim=-1))"),
        ),
        says=(
            "mask_before_softmax masks after the softmax and renormalises. If a later score is very large, "
            "nothing is left to share out: 0 / 0 is nan."
        ),
        hint="formula",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "before_in_float32",
        ((SOFTMAX, "return torch.softmax(scaled, dim=-1, dtype=torch.float32)"),),
        says=(
            "mask_before_softmax always answers in float32; weights must have the number type of the scores."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
)

TRIVIAL = (
    Trivial(
        "zeros",
        (
            (RETURN_MASK, "return torch.zeros_like(every_pair)"),
            (SHARED_OUT, "return torch.zeros_like(weights)"),
            (SOFTMAX, "return torch.zeros_like(scores)"),
        ),
    ),
    Trivial(
        "everything_blocked",
        ((RETURN_MASK, "return every_pair"), (SHARED_OUT, "return kept"), (SOFTMAX, "return scaled")),
    ),
    Trivial(
        "the_input_itself",
        (
            (RETURN_MASK, "return ~every_pair"),
            (SHARED_OUT, "return weights"),
            (SOFTMAX, "return scores"),
        ),
    ),
    Trivial(
        "uniform_weights",
        (
            (RETURN_MASK, "return ~every_pair"),
            (SHARED_OUT, "return torch.full_like(weights, 1 / weights.shape[-1])"),
            (SOFTMAX, "return torch.full_like(scores, 1 / scores.shape[-1])"),
        ),
    ),
    Trivial(
        "first_token_alone",
        (
            (RETURN_MASK, "return ~every_pair"),
            (SHARED_OUT, "return torch.zeros_like(weights).index_fill(-1, torch.tensor([0]), 1.0)"),
            (SOFTMAX, "return torch.zeros_like(scores).index_fill(-1, torch.tensor([0]), 1.0)"),
        ),
    ),
    Trivial(
        "softmax_alone",
        (
            (RETURN_MASK, "return ~every_pair"),
            (SHARED_OUT, "return weights"),
            (SOFTMAX, "return torch.softmax(scores / d_k**0.5, dim=-1)"),
        ),
    ),
    Trivial(
        "nothing",
        ((RETURN_MASK, "return None"), (SHARED_OUT, "return None"), (SOFTMAX, "return None")),
    ),
)
