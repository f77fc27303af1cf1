"""How people get the two functions of why_scale wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

QUERIES = "queries = torch.randn(samples, d_k)"
KEYS = "keys = torch.randn(samples, d_k)"
SCORES = "scores = (queries * keys).sum(dim=-1)"
IF_SCALED = "if scaled:"
SCALED = "scores = scores / d_k**0.5"
VARIANCE = "return scores.var()"
WEIGHTS = "weights = torch.softmax(scores, dim=-1)"
DIAGONAL = "on_diagonal = torch.diag(weights)"
PRODUCTS = "products = torch.outer(weights, weights)"
JACOBIAN = "jacobian = on_diagonal - products"
NORM = "return jacobian.square().sum().sqrt()"

MISCONCEPTIONS = (
    # score_variance
    Misconception(
        "standard_deviation",
        ((VARIANCE, "return scores.std()"),),
        says="score_variance returns the standard deviation. The variance is its square.",
        hint="formula",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "numbers_between_zero_and_one",
        ((QUERIES, "queries = torch.rand(samples, d_k)"), (KEYS, "keys = torch.rand(samples, d_k)")),
        says="You draw the entries evenly between 0 and 1: their mean is not 0 and their variance not 1.",
        hint="line",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "keys_are_the_queries",
        ((KEYS, "keys = queries"),),
        says=(
            "Your queries and keys are the same numbers, so they are not independent: the scores are squared "
            "lengths, with twice the variance."
        ),
        hint="nudge",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "mean_of_the_products",
        ((SCORES, "scores = (queries * keys).mean(dim=-1)"),),
        says="You average the products. A dot product is their sum, and so its variance grows with d_k.",
        hint="formula",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "single_products",
        ((SCORES, "scores = queries * keys"),),
        says="Your variance is that of single products. A score is the sum of the d_k products of one pair.",
        hint="formula",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "summed_over_the_samples",
        ((SCORES, "scores = (queries * keys).sum(dim=0)"),),
        says="You sum the products over the pairs. Sum over the d_k entries of a pair: the last dimension.",
        hint="line",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "variance_for_each_dimension",
        ((VARIANCE, "return (queries * keys).var(dim=0)"),),
        says="score_variance returns a number for each of the d_k dimensions. One number is asked for.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "all_scores_returned",
        ((VARIANCE, "return scores"),),
        says="score_variance returns the scores themselves; their variance is asked for.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "absolute_scores",
        ((VARIANCE, "return scores.abs().var()"),),
        says="You take the variance of the sizes of the scores, without their signs.",
        hint="formula",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "unit_vectors",
        (
            (
                SCORES,
                "queries = queries / queries.norm(dim=-1, keepdim=True)\n"
                "    keys = keys / keys.norm(dim=-1, keepdim=True)\n    " + SCORES,
            ),
        ),
        says=(
            "You bring queries and keys to length 1 first. That is another scale; the entries are to stay as "
            "drawn."
        ),
        hint="formula",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "scaled_by_d_k",
        ((SCALED, "scores = scores / d_k"),),
        says=(
            "Your scaled scores are divided by d_k. Their variance is then 1 / d_k; divide by the square "
            "root."
        ),
        hint="formula",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "multiplied_by_the_root",
        ((SCALED, "scores = scores * d_k**0.5"),),
        says="Your scaled scores are multiplied by the square root of d_k instead of divided by it.",
        hint="formula",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "queries_and_keys_both_scaled",
        ((SCALED, "scores = (queries / d_k**0.5 * keys / d_k**0.5).sum(dim=-1)"),),
        says="You divide both queries and keys by the root of d_k, which divides the scores by d_k itself.",
        hint="formula",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "variance_divided_by_the_root",
        ((SCALED, "return scores.var() / d_k**0.5"),),
        says=(
            "You divide the variance by the root of d_k. Scores that are divided by a number have a variance "
            "that is divided by its square."
        ),
        hint="formula",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "scaled_and_rounded_down",
        ((SCALED, "scores = scores // d_k**0.5"),),
        says=(
            "Scaled scores are divided with //, which rounds them down to whole numbers and spreads them a "
            "little further. Divide with /."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "never_scaled",
        ((IF_SCALED, "if False:"),),
        says=(
            "The argument `scaled` is not used, or the scaled scores are thrown away: nothing is ever scaled."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "always_scaled",
        ((IF_SCALED, "if True:"),),
        says="The argument `scaled` is not used: scores are always scaled.",
        hint="line",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "scaled_where_it_should_not_be",
        ((IF_SCALED, "if not scaled:"),),
        says="Your scores are scaled when `scaled` is False, and left alone when it is True.",
        hint="line",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "one_query_for_all_keys",
        ((QUERIES, "queries = torch.randn(d_k)"),),
        says=(
            "In your code one query meets all keys, so the result depends on how long that query is. Draw a "
            "query for each key."
        ),
        hint="nudge",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        "samples_ignored",
        ((QUERIES, "samples = 10_000\n    " + QUERIES),),
        says="The argument `samples` is not used: the number of pairs is fixed.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "the_same_numbers_each_time",
        ((QUERIES, "torch.manual_seed(0)\n    " + QUERIES),),
        says=(
            "You set a seed in the function, so every call gives the same number. Leave the seed to the "
            "caller."
        ),
        hint="line",
        keeps=(0.5, 0.7),
    ),
    Misconception(
        "known_without_measuring",
        ((VARIANCE, "return torch.tensor(1.0 if scaled else float(d_k))"),),
        says="You return the number that theory expects; nothing is measured. Draw queries and keys.",
        hint="nudge",
        keeps=(0.5, 0.7),
    ),
    # softmax_gradient_norm
    Misconception(
        "diagonal_alone",
        ((JACOBIAN, "jacobian = torch.diag(weights - weights**2)"),),
        says=(
            "You count only the derivatives of each weight by its own score. Every weight depends on every "
            "score."
        ),
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "products_left_out",
        ((JACOBIAN, "jacobian = on_diagonal"),),
        says=(
            "You do not subtract the products of weights, so a weight near 1 seems to let everything through."
        ),
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "diagonal_left_out",
        ((JACOBIAN, "jacobian = -products"),),
        says="The weights on the diagonal are missing: where i = j, the entry is p_i (1 - p_i).",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "every_entry_minus_products",
        ((JACOBIAN, "jacobian = weights - products"),),
        says=(
            "You subtract the products from a weight in every entry. The weight belongs on the diagonal "
            "alone."
        ),
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "products_added",
        ((JACOBIAN, "jacobian = on_diagonal + products"),),
        says="You add the products of weights to the diagonal; they are to be subtracted.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "entries_summed",
        ((NORM, "return jacobian.sum()"),),
        says=(
            "You sum the entries with their signs, or the weights before the derivative: that is 0 always, "
            "as the weights sum to 1."
        ),
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "root_forgotten",
        ((NORM, "return jacobian.square().sum()"),),
        says="You sum the squares and do not take the root of the sum.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "sizes_summed",
        ((NORM, "return jacobian.abs().sum()"),),
        says="You sum the absolute values. The Frobenius norm is the root of the sum of squares.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "squares_averaged",
        ((NORM, "return jacobian.square().mean().sqrt()"),),
        says="You average the squares. They are to be summed.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "largest_entry",
        ((NORM, "return jacobian.abs().max()"),),
        says="You return the largest entry. The norm takes all of them together.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "spectral_norm",
        ((NORM, "return torch.linalg.matrix_norm(jacobian, ord=2)"),),
        says=(
            "You return another norm of the table, its largest singular value. The Frobenius norm is the "
            "root of the sum of squares."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "row_norms",
        ((NORM, "return jacobian.square().sum(dim=-1).sqrt()"),),
        says="You return a norm for each row. One number for the whole table is asked for.",
        hint="line",
        keeps=(0.3, 0.55),
    ),
    Misconception(
        "whole_jacobian_returned",
        ((NORM, "return jacobian"),),
        says="You return the table itself; its norm is asked for.",
        hint="line",
        keeps=(0.3, 0.55),
    ),
    Misconception(
        "winner_alone",
        ((NORM, "return jacobian[weights.argmax()].norm()"),),
        says="You count only the row of the largest weight. The norm is that of the whole table.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "norm_of_the_weights",
        ((NORM, "return weights.norm()"),),
        says="You return the norm of the weights. It is their derivatives that are asked for.",
        hint="nudge",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "softmax_missing",
        ((WEIGHTS, "weights = scores"),),
        says="You use the scores as if they were weights; they go through the softmax first.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "sigmoid_for_softmax",
        ((WEIGHTS, "weights = torch.sigmoid(scores)"),),
        says="In your code each score goes through a sigmoid of its own. In a softmax they share one sum.",
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "log_softmax",
        ((JACOBIAN, "jacobian = torch.eye(len(scores)) - weights"),),
        says=(
            "Yours are the derivatives of the logarithm of the softmax. They do not vanish; those of the "
            "weights do."
        ),
        hint="formula",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        "scores_scaled_first",
        ((WEIGHTS, "weights = torch.softmax(scores / len(scores) ** 0.5, dim=-1)"),),
        says="You divide the scores by a root first. Here they are taken as they come, scaled or not.",
        hint="nudge",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "softmax_overflows",
        ((WEIGHTS, "weights = scores.exp() / scores.exp().sum()"),),
        says="Your softmax takes exp of large scores, which is infinite: subtract the largest one first.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "scores_changed_in_place",
        ((WEIGHTS, "scores -= scores.max()\n    " + WEIGHTS),),
        says="You subtract the largest score in place, so the caller's numbers are changed.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "rounded_to_float32",
        ((WEIGHTS, "weights = torch.softmax(scores.float(), dim=-1)"),),
        says="You turn the scores into float32 on the way, so float64 loses its digits.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((VARIANCE, "return torch.tensor(0.0)"), (NORM, "return torch.tensor(0.0)"))),
    Trivial("ones", ((VARIANCE, "return 1.0"), (NORM, "return 1.0"))),
    Trivial(
        "what_theory_expects",
        ((VARIANCE, "return 1.0 if scaled else float(d_k)"), (NORM, "return 0.5")),
    ),
    Trivial("the_input_itself", ((VARIANCE, "return d_k"), (NORM, "return scores"))),
    Trivial("nothing", ((VARIANCE, "return None"), (NORM, "return None"))),
)
