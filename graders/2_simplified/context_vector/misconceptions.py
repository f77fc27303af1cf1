"""How people get context_vector wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

QUERY = "query = inputs[position]"
RETURN_SCORES = "return inputs @ query  # (tokens,)"
LARGEST = "largest = scores.amax(dim=-1, keepdim=True)"
POWERS = "powers = torch.exp(scores - largest)"
SHARED_OUT = "return powers / powers.sum(dim=-1, keepdim=True)"
SCORED = "scores = attention_scores(inputs, position)  # (tokens,)"
WEIGHTED = "weights = softmax(scores)  # (tokens,)"
SUMMED = "context = weights @ inputs  # (d,)"
RETURN_ALL = "return scores, weights, context\n"

MISCONCEPTIONS = (
    # attention_scores
    Misconception(
        "scores_divided_by_root",
        ((RETURN_SCORES, "return inputs @ query / inputs.shape[-1] ** 0.5"),),
        says=(
            "Your scores are divided by the square root of the number of features. That belongs to "
            "attention with trained weights; here a score is the dot product alone."
        ),
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "mean_of_products",
        ((RETURN_SCORES, "return (inputs * query).mean(dim=-1)"),),
        says="Your scores are the mean of the products of two tokens. A dot product is their sum.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "cosine",
        ((RETURN_SCORES, "return torch.nn.functional.cosine_similarity(inputs, query[None], dim=-1)"),),
        says=(
            "Your scores are cosines: the length of the vectors is divided away. A dot product keeps it, "
            "and grows with it."
        ),
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "distance",
        ((RETURN_SCORES, "return -((inputs - query) ** 2).sum(dim=-1)"),),
        says="Your scores say how far apart two tokens are. A score is the dot product of the two.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "counted_from_one",
        ((QUERY, "query = inputs[position - 1]"),),
        says="Your query is the token before the one that was asked for. Positions are counted from 0.",
        hint="nudge",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "summed_over_tokens",
        ((RETURN_SCORES, "return (inputs * query).sum(dim=0)"),),
        says=(
            "Your scores are sums over the tokens, one a feature. Sum over the features instead, and each"
            " token gets a score."
        ),
        hint="line",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "products_not_summed",
        ((RETURN_SCORES, "return inputs * query"),),
        says="Your scores are the products of the features, not yet summed. A dot product is one number.",
        hint="line",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "query_does_not_see_itself",
        (
            (
                RETURN_SCORES,
                "mine = torch.arange(len(inputs), device=inputs.device) == position\n"
                "    return (inputs @ query).masked_fill(mine, -torch.inf)",
            ),
        ),
        says=(
            "Your query leaves itself out. A token is scored with all tokens, itself included, and adds "
            "to its own context."
        ),
        hint="nudge",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "scores_in_a_float32_table",
        (
            (
                RETURN_SCORES,
                "scores = torch.empty(inputs.shape[0])\n"
                "    for token, vector in enumerate(inputs):\n"
                "        scores[token] = torch.dot(vector, query)\n"
                "    return scores",
            ),
        ),
        says=(
            "attention_scores fills a tensor that was made without a dtype and a device, so it is float32 on "
            "the CPU whatever the inputs are."
        ),
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "query_detached",
        ((QUERY, "query = inputs[position].detach()"),),
        says="Your query is cut off from the gradient, so a token never learns what to look for.",
        hint="line",
        keeps=(0.88, 0.99),
    ),
    # softmax
    Misconception(
        "softmax_overflows",
        ((POWERS, "powers = torch.exp(scores)"),),
        says=(
            "Your softmax takes the exponentials of the scores as they are. Large ones become infinite, "
            "very small ones all 0, and the row is not a number."
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "softmax_in_float64",
        (
            (POWERS, "powers = torch.exp(scores.double())"),
            (SHARED_OUT, "return (powers / powers.sum(dim=-1, keepdim=True)).to(scores.dtype)"),
        ),
        says=(
            "Your softmax computes in float64. There it overflows later, but it does: the exponential of 710 "
            "is infinite."
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "one_maximum_for_all_rows",
        ((LARGEST, "largest = scores.max()"),),
        says=(
            "Your softmax subtracts the largest score of the whole tensor. A row far below it has only "
            "zeros left; each row needs a number of its own."
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "mean_subtracted",
        ((LARGEST, "largest = scores.mean(dim=-1, keepdim=True)"),),
        says=(
            "Your softmax subtracts the mean of each row. One score far above the others still overflows:"
            " which number leaves no exponent above 0?"
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "largest_absolute_value",
        ((LARGEST, "largest = scores.abs().amax(dim=-1, keepdim=True)"),),
        says=(
            "Your softmax subtracts the largest absolute value. In a row with -1000 all exponents become "
            "very negative, and all powers 0."
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "scores_clamped",
        ((POWERS, "powers = torch.exp(scores.clamp(-80.0, 80.0))"),),
        says=(
            "Your softmax cuts large scores off. Nothing overflows, but scores beyond the limit are no "
            "longer told apart."
        ),
        hint="formula",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "shifted_above_the_line_only",
        ((SHARED_OUT, "return powers / torch.exp(scores).sum(dim=-1, keepdim=True)"),),
        says=(
            "Your softmax subtracts the largest score above the fraction line, not below it. The weights "
            "stay the same only if all exponents are moved alike."
        ),
        hint="formula",
        keeps=(0.2, 0.55),
    ),
    Misconception(
        "divided_by_the_largest",
        ((POWERS, "powers = torch.exp(scores / largest)"),),
        says=(
            "Your softmax divides by the largest score. That changes the weights; subtracting it does not."
        ),
        hint="formula",
        keeps=(0.3, 0.55),
    ),
    Misconception(
        "not_normalised",
        ((SHARED_OUT, "return powers"),),
        says=(
            "Your softmax returns the exponentials and does not divide by their sum: rows do not sum to 1."
        ),
        hint="formula",
        keeps=(0.3, 0.55),
    ),
    Misconception(
        "divided_by_the_sum_of_scores",
        ((SHARED_OUT, "return scores / scores.sum(dim=-1, keepdim=True)"),),
        says=(
            "Your softmax divides the scores themselves by their sum. With scores of both signs that "
            "gives negative weights, or huge ones: the exponentials are missing."
        ),
        hint="formula",
        keeps=(0.3, 0.55),
    ),
    Misconception(
        "winner_takes_all",
        ((SHARED_OUT, "return (scores == largest).to(scores.dtype)"),),
        says="Your softmax gives everything to the largest score. The others get less, but not nothing.",
        hint="formula",
        keeps=(0.3, 0.55),
    ),
    Misconception(
        "softmax_over_dim_0",
        (
            (LARGEST, "largest = scores.amax(dim=0, keepdim=True)"),
            (SHARED_OUT, "return powers / powers.sum(dim=0, keepdim=True)"),
        ),
        says=(
            "Your softmax runs along dimension 0. That is the last one of a vector, but not of a table: "
            "count from the end."
        ),
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "softmax_over_everything",
        (
            (LARGEST, "largest = scores.max()"),
            (SHARED_OUT, "return powers / powers.sum()"),
        ),
        says="Your softmax divides by the sum of the whole tensor. Each row must sum to 1 by itself.",
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "sums_lie_flat",
        ((SHARED_OUT, "return powers / powers.sum(dim=-1)"),),
        says=(
            "In your softmax the sums lost their dimension, so they do not stand beside their rows: in a "
            "square table they divide the columns."
        ),
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "torchs_own_softmax",
        ((SHARED_OUT, "return torch.softmax(scores, dim=-1)"),),
        says="Your softmax calls torch's own. Here you write it yourself, from exponentials and sums.",
        hint="nudge",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "softmax_changes_its_argument",
        ((POWERS, "powers = torch.exp(scores.clone() - largest)\n    scores.data -= largest"),),
        says=(
            "Your softmax subtracts from the scores in place, and the tensor still belongs to the caller,"
            " whose scores are other ones afterwards."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "softmax_changes_its_argument_alone",
        (
            (POWERS, "with torch.no_grad():\n        scores -= largest\n    powers = torch.exp(scores)"),
            (RETURN_ALL, "return attention_scores(inputs, position), weights, context\n"),
        ),
        says=(
            "Your softmax subtracts from its argument in place. The results of context_vector are right all "
            "the same, but whoever else calls softmax finds other scores afterwards."
        ),
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "softmax_cuts_the_gradient",
        ((POWERS, "powers = torch.exp((scores - largest).detach())"),),
        says="Your softmax cuts the scores off from the gradient, so nothing before it could learn.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "softmax_in_float32",
        ((POWERS, "powers = torch.exp((scores - largest).float())"),),
        says="Your softmax always answers in float32; its result must have the dtype of the scores.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
    # context_vector
    Misconception(
        "no_softmax",
        ((WEIGHTED, "weights = scores"),),
        says="context_vector uses the scores as weights. The softmax between the two is missing.",
        hint="nudge",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "softmax_twice",
        ((WEIGHTED, "weights = softmax(softmax(scores))"),),
        says="context_vector takes the softmax twice, so its weights are almost even.",
        hint="nudge",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        "always_the_books_position",
        ((SCORED, "scores = attention_scores(inputs, 1)"),),
        says='context_vector always answers for position 1, the book\'s "journey", whatever was asked for.',
        hint="nudge",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        "weights_returned_as_scores",
        ((RETURN_ALL, "return weights, weights, context\n"),),
        says="context_vector returns the weights in the place of the scores. Keep the scores as they were.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        "scores_times_inputs",
        ((SUMMED, "context = scores @ inputs"),),
        says="context_vector computes weights, but sums the tokens multiplied by their scores.",
        hint="formula",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "plain_mean",
        ((SUMMED, "context = inputs.mean(dim=0)"),),
        says=(
            "context_vector takes the plain mean of the tokens: each counts the same, whatever its weight."
        ),
        hint="formula",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "query_weighted",
        ((SUMMED, "context = (weights[:, None] * inputs[position]).sum(dim=0)"),),
        says=(
            "context_vector multiplies the query by the weights, so the context is the query again. The "
            "weights belong to the tokens."
        ),
        hint="formula",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "best_token_only",
        ((SUMMED, "context = inputs[weights.argmax()]"),),
        says="context_vector returns the token with the largest weight. The context is a mixture of all.",
        hint="formula",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "query_added",
        ((SUMMED, "context = weights @ inputs + inputs[position]"),),
        says="context_vector adds the query once more. It is in the sum already, with its weight.",
        hint="formula",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "summed_over_features",
        ((SUMMED, "context = (weights[:, None] * inputs).sum(dim=1)"),),
        says=(
            "context_vector sums each weighted token over its features, and gets one number a token. Sum "
            "over the tokens."
        ),
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "weighted_not_summed",
        ((SUMMED, "context = weights[:, None] * inputs"),),
        says="context_vector weights the tokens and does not add them up: a context is one vector.",
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "context_alone",
        ((RETURN_ALL, "return context\n"),),
        says="context_vector returns the context alone. The scores and the weights are asked for too.",
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "results_in_another_order",
        ((RETURN_ALL, "return context, weights, scores\n"),),
        says="context_vector returns its results in another order: first the scores, the context last.",
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "context_in_a_float32_table",
        (
            (
                SUMMED,
                "context = torch.zeros(inputs.shape[1])\n"
                "    for weight, vector in zip(weights, inputs):\n"
                "        context += weight * vector",
            ),
        ),
        says=(
            "context_vector sums into a vector that was made without a dtype and a device, so it is "
            "float32 on the CPU whatever the inputs are."
        ),
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "inputs_weighted_in_place",
        ((SUMMED, "context = inputs.data.mul_(weights[:, None]).sum(dim=0)"),),
        says=(
            "context_vector multiplies the inputs by their weights in place, and so spoils them for the "
            "caller."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "context_of_plain_numbers",
        ((SUMMED, "context = weights.detach() @ inputs.detach()"),),
        says=(
            "context_vector cuts the context off from the gradient, so no training could reach the inputs."
        ),
        hint="line",
        keeps=(0.88, 0.99),
    ),
)

TRIVIAL = (
    Trivial(
        "zeros",
        (
            (RETURN_SCORES, "return torch.zeros(len(inputs))"),
            (SHARED_OUT, "return torch.zeros_like(scores)"),
            (SUMMED, "context = torch.zeros(inputs.shape[1])"),
        ),
    ),
    Trivial(
        "nothing",
        (
            (RETURN_SCORES, "return None"),
            (SHARED_OUT, "return None"),
            (SCORED, "return None\n    scores = 0"),
        ),
    ),
    Trivial(
        "all_the_same",
        (
            (RETURN_SCORES, "return torch.ones_like(inputs[:, 0])"),
            (SHARED_OUT, "return torch.ones_like(scores) / scores.shape[-1]"),
        ),
    ),
    Trivial(
        "what_was_given",
        (
            (RETURN_SCORES, "return inputs[:, 0]"),
            (SHARED_OUT, "return scores"),
            (SUMMED, "context = inputs[position]"),
        ),
    ),
)
