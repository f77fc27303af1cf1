"""How people get all_context_vectors wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

SCORED = "scores = inputs @ inputs.T  # (tokens, tokens), a row for each query"
WEIGHTED = "weights = torch.softmax(scores, dim=-1)  # each row sums to 1"
SUMMED = "contexts = weights @ inputs  # (tokens, d)"
RETURN_ALL = "return scores, weights, contexts\n"

MISCONCEPTIONS = (
    # scores
    Misconception(
        "features_with_features",
        ((SCORED, "scores = inputs.T @ inputs"), (SUMMED, "contexts = inputs @ weights")),
        says="Your scores compare features with features: one row a feature. Compare tokens with tokens.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "not_transposed",
        ((SCORED, "scores = inputs @ inputs"),),
        says=(
            "Your product of the inputs with themselves does not fit. A score is the product of two rows, so "
            "one side has to be transposed."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "not_transposed_in_einsum",
        (
            (SCORED, 'scores = torch.einsum("qd,dk->qk", inputs, inputs)'),
            (SUMMED, 'contexts = torch.einsum("qk,kd->qd", weights, inputs)'),
        ),
        says=(
            "Your einsum lets the rows of the inputs meet columns, and the sizes do not fit: each row must "
            "meet a row, so the features are the last letter of both."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "element_by_element",
        ((SCORED, "scores = inputs * inputs"), (SUMMED, "contexts = weights * inputs")),
        says=(
            "You multiply numbers in the same place. A score is a sum of products, so it takes a matrix "
            "product."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "element_by_element_with_the_transpose",
        ((SCORED, "scores = inputs * inputs.T"),),
        says=(
            "You multiply the inputs and their transpose number by number, and their shapes do not fit. A "
            "score is a sum of products, so it takes a matrix product."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "half_of_the_table",
        ((SCORED, "scores = (inputs @ inputs.T).triu()"),),
        says=(
            "Half of your table of scores is 0. Every token is scored with every other one, in both halves "
            "of the table; and a score of 0 still gets a weight."
        ),
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "first_query_for_all",
        ((SCORED, "scores = (inputs @ inputs[0]).expand(len(inputs), -1)"),),
        says="Every row of your scores belongs to the first token. Each row has a query of its own.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "scores_divided_by_root",
        ((SCORED, "scores = inputs @ inputs.T / inputs.shape[-1] ** 0.5"),),
        says=(
            "Your scores are divided by the square root of the number of features. That belongs to "
            "attention with trained weights; here a score is the dot product alone."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "cosine",
        (
            (
                SCORED,
                "directions = torch.nn.functional.normalize(inputs, dim=-1)\n"
                "    scores = directions @ directions.T",
            ),
        ),
        says="Your scores are cosines: the length of the vectors is divided away. A dot product keeps it.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "no_token_sees_itself",
        (
            (
                SCORED,
                "itself = torch.eye(len(inputs), dtype=torch.bool, device=inputs.device)\n"
                "    scores = (inputs @ inputs.T).masked_fill(itself, -torch.inf)",
            ),
        ),
        says="Your tokens leave themselves out. A token is scored with all tokens, itself included.",
        hint="nudge",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        "the_future_is_hidden",
        (
            (
                WEIGHTED,
                "future = torch.ones_like(scores).triu(diagonal=1).bool()\n"
                "    weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
            ),
        ),
        says=(
            "Your tokens do not look at the tokens after them. That is causal attention, which comes "
            "later; here every token sees every token."
        ),
        hint="nudge",
        keeps=(0.4, 0.6),
    ),
    # weights
    Misconception(
        "softmax_down_the_columns",
        ((WEIGHTED, "weights = torch.softmax(scores, dim=0)"),),
        says=(
            "Your softmax runs down the columns: each column sums to 1, not each row. As the scores are "
            "symmetric, you get exactly the transpose of the weights."
        ),
        hint="nudge",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "columns_and_turned_for_the_contexts",
        (
            (WEIGHTED, "weights = torch.softmax(scores, dim=0)"),
            (SUMMED, "contexts = weights.T @ inputs"),
        ),
        says=(
            "Your contexts are right, but the weights that you return are transposed: a row should hold "
            "what one query gives to all tokens."
        ),
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "softmax_over_the_whole_table",
        ((WEIGHTED, "weights = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)"),),
        says=(
            "Your softmax runs over the whole table: all weights together sum to 1. Each row must by itself."
        ),
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "softmax_missing",
        ((WEIGHTED, "weights = scores"),),
        says="Your weights are the scores. The softmax between the two is missing.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "softmax_twice",
        ((WEIGHTED, "weights = torch.softmax(torch.softmax(scores, dim=-1), dim=-1)"),),
        says="You take the softmax twice, so the weights are almost even.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "divided_by_the_sum_of_scores",
        ((WEIGHTED, "weights = scores / scores.sum(dim=-1, keepdim=True)"),),
        says=(
            "You divide the scores by their sum, without exponentials. With scores of both signs some "
            "weights are negative, and some very large."
        ),
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "softmax_overflows",
        ((WEIGHTED, "weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)"),),
        says=(
            "Your softmax takes the exponentials of the scores as they are, and large ones become "
            "infinite. Torch's own softmax subtracts the largest score first; so should yours."
        ),
        hint="line",
        keeps=(0.88, 0.98),
    ),
    # contexts
    Misconception(
        "weights_turned",
        ((SUMMED, "contexts = weights.T @ inputs"),),
        says=(
            "You multiply with the weights transposed, so each context uses a column: what others give to it."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "scores_times_inputs",
        ((SUMMED, "contexts = scores @ inputs"),),
        says="You compute the weights, but multiply the inputs by the scores.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "inputs_added",
        ((SUMMED, "contexts = weights @ inputs + inputs"),),
        says=(
            "You add the inputs once more to the contexts. Each token is in its sum already, with its weight."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "plain_mean_for_all",
        ((SUMMED, "contexts = inputs.mean(dim=0).expand_as(inputs)"),),
        says=(
            "All your contexts are the plain mean of the tokens. Each row of weights makes a mixture of "
            "its own."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "contexts_alone",
        ((RETURN_ALL, "return contexts\n"),),
        says="You return the contexts alone. The scores and the weights are asked for too.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "results_in_another_order",
        ((RETURN_ALL, "return contexts, weights, scores\n"),),
        says="You return the results in another order: scores, weights, contexts is what is asked for.",
        hint="line",
        keeps=(0.0, 0.2),
    ),
    # loops, types, gradients
    Misconception(
        "query_by_query",
        (
            (SCORED, "scores = torch.stack([inputs @ query for query in inputs])"),
            (SUMMED, "contexts = torch.stack([row @ inputs for row in weights])"),
        ),
        says=(
            "Your numbers are right, but a loop goes through the tokens. One matrix product does what all"
            " its rounds do."
        ),
        hint="formula",
        keeps=(0.65, 0.85),
    ),
    Misconception(
        "filled_pair_by_pair",
        (
            (
                SCORED,
                "scores = torch.empty(len(inputs), len(inputs))\n"
                "    for query in range(len(inputs)):\n"
                "        for token in range(len(inputs)):\n"
                "            scores[query, token] = torch.dot(inputs[query], inputs[token])",
            ),
            (SUMMED, "contexts = weights @ inputs.to(weights.dtype)"),
        ),
        says=(
            "Two loops fill a table that was made without a dtype and a device: it is slow, and float32 "
            "on the CPU whatever the inputs are. One matrix product has neither fault."
        ),
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        "six_tokens_always",
        (
            (
                SCORED,
                "scores = torch.empty(6, 6)\n"
                "    for query in range(6):\n"
                "        for token in range(6):\n"
                "            scores[query, token] = torch.dot(inputs[query], inputs[token])",
            ),
        ),
        says=(
            "Your table of scores is 6 by 6, the size of the book's example, however many tokens there are."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "written_into_the_inputs",
        ((SUMMED, "contexts = inputs.data.copy_(weights @ inputs)"),),
        says="You write the contexts into the inputs, which still belong to the caller.",
        hint="line",
        keeps=(0.75, 0.96),
    ),
    Misconception(
        "gradient_cut",
        ((SCORED, "scores = inputs.detach() @ inputs.detach().T"),),
        says="You cut the scores off from the gradient, so tokens could never learn whom to look at.",
        hint="line",
        keeps=(0.85, 0.96),
    ),
    Misconception(
        "always_float32",
        ((SCORED, "inputs = inputs.float()\n    scores = inputs @ inputs.T"),),
        says="Your results are float32 whatever the inputs are; they should have the dtype of the inputs.",
        hint="line",
        keeps=(0.85, 0.96),
    ),
    Misconception(
        "divided_in_place",
        (
            (
                WEIGHTED,
                "weights = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)\n"
                "    weights /= weights.sum(dim=-1, keepdim=True)",
            ),
        ),
        says=(
            "The exponentials are divided in place, and their gradient needs them as they were: no gradient "
            "gets back. Make a new tensor, weights = weights / sums."
        ),
        hint="line",
        keeps=(0.85, 0.97),
    ),
)

TRIVIAL = (
    Trivial(
        "zeros",
        (
            (SCORED, "scores = torch.zeros(len(inputs), len(inputs))"),
            (WEIGHTED, "weights = scores"),
            (SUMMED, "contexts = torch.zeros_like(inputs)"),
        ),
    ),
    Trivial("nothing", ((RETURN_ALL, "return None\n"),)),
    Trivial(
        "even_weights",
        (
            (SCORED, "scores = torch.ones(len(inputs), len(inputs))"),
            (WEIGHTED, "weights = scores / len(inputs)"),
        ),
    ),
    Trivial(
        "each_token_by_itself",
        (
            (SCORED, "scores = torch.eye(len(inputs))"),
            (WEIGHTED, "weights = scores"),
            (SUMMED, "contexts = inputs"),
        ),
    ),
)
