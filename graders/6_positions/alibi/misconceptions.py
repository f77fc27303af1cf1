"""The ways in which ALiBi goes wrong, as edits of the reference solution."""

from softmarks.course.rooms import Misconception, Trivial

# The lines of the reference that are edited.
POWER = "if n_heads < 1 or 2 ** (n_heads.bit_length() - 1) != n_heads:"
HEAD = "head = torch.arange(1, n_heads + 1)"
SLOPES = "return 2.0 ** (-8 * head / n_heads)"
USED = "slopes = alibi_slopes(n_heads)"
DISTANCE = "distance = position[:, None] - position[None, :]"
BACK = "back = distance.clamp(min=0)"
BIAS = "return slopes[:, None, None] * -back"
CLOSEST = "2 ** (n_heads.bit_length() - 1)"

MISCONCEPTIONS = [
    # --- alibi_slopes
    Misconception(
        id="heads_counted_from_0",
        edits=((HEAD, "head = torch.arange(n_heads)"),),
        says=(
            "Heads are counted from 0, so the first slope is 1. It should be 2^(-8/n), and the last one "
            "2^(-8)."
        ),
        hint="formula",
        keeps=(0.7, 0.95),
    ),
    Misconception(
        id="always_halved",
        edits=((SLOPES, "return 2.0 ** -head.float()"),),
        says="The slopes are 1/2, 1/4, 1/8, … for any number of heads. That is right for eight; with n "
        "heads the factor is 2^(-8/n).",
        hint="formula",
        keeps=(0.7, 0.95),
    ),
    Misconception(
        id="eight_and_heads_swapped",
        edits=((SLOPES, "return 2.0 ** (-n_heads * head / 8)"),),
        says="The exponent is divided by 8 and multiplied by the number of heads; it is the other way round. "
        "Only eight heads do not show it.",
        hint="formula",
        keeps=(0.7, 0.95),
    ),
    Misconception(
        id="base_e",
        edits=((SLOPES, "return torch.exp(-8 * head / n_heads)"),),
        says="The base of the slopes is e instead of 2.",
        hint="formula",
        keeps=(0.7, 0.95),
    ),
    Misconception(
        id="minus_missing",
        edits=((SLOPES, "return 2.0 ** (8 * head / n_heads)"),),
        says="The minus in the exponent is missing, so slopes grow from 2 to 256 where they should fall "
        "below 1.",
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="negative_slopes",
        edits=((SLOPES, "return -(2.0 ** (-8 * head / n_heads))"),),
        says="The slopes are negative, and the bias has a minus of its own: together they reward distance. "
        "Slopes are positive.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="slopes_in_reverse",
        edits=((SLOPES, "return 2.0 ** (-8 * head.flip(0) / n_heads)"),),
        says="The slopes are in reverse order. The first head has the largest one.",
        hint="nudge",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="slopes_on_a_line",
        edits=((SLOPES, "return head.flip(0) / n_heads"),),
        says="The slopes fall by the same amount from head to head. They should fall by the same factor.",
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="one_slope_for_all",
        edits=((SLOPES, "return torch.full((n_heads,), 2.0 ** (-8 / n_heads))"),),
        says=(
            "All heads have the slope of the first one. Each head is to have its own, each smaller than the "
            "one before."
        ),
        hint="nudge",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="any_number_of_heads",
        edits=((POWER, "if n_heads < 1:"),),
        says="A number of heads that is no power of two is accepted. The exercise asks for a ValueError.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="any_even_number_of_heads",
        edits=((POWER, "if n_heads < 1 or (n_heads > 1 and n_heads % 2 == 1):"),),
        says="Odd numbers of heads are refused, and even ones such as 6 accepted. Only powers of two are "
        "fine.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="other_numbers_interpolated",
        edits=(
            (
                POWER,
                f"if n_heads > 0 and {CLOSEST} != n_heads:\n"
                f"        closest = {CLOSEST}\n"
                "        more = alibi_slopes(2 * closest)[0::2][: n_heads - closest]\n"
                "        return torch.cat((alibi_slopes(closest), more))\n"
                "    if n_heads < 1:",
            ),
        ),
        says="For other numbers of heads slopes are taken from the powers of two on both sides, as in the "
        "code of the paper's authors. Implementations differ there, so this exercise asks for a "
        "ValueError.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="slopes_in_float64",
        edits=((SLOPES, "return 2.0 ** (-8 * head.double() / n_heads)"),),
        says="The results are float64, as double or numpy make them; the exercise asks for float32.",
        hint="line",
        keeps=(0.85, 0.97),
    ),
    # --- alibi_bias
    Misconception(
        id="distance_rewarded",
        edits=((BIAS, "return slopes[:, None, None] * back"),),
        says="The minus is missing: far keys get a higher score than near ones.",
        hint="formula",
        keeps=(0.25, 0.45),
    ),
    Misconception(
        id="queries_and_keys_swapped",
        edits=((DISTANCE, "distance = position[None, :] - position[:, None]"),),
        says="The distance is k - q instead of q - k: later keys are penalised, and earlier ones get 0.",
        hint="formula",
        keeps=(0.25, 0.45),
    ),
    Misconception(
        id="future_rewarded",
        edits=((BACK, "back = distance"),),
        says="Later keys get a positive bias, because their distance is negative. They should get 0.",
        hint="formula",
        keeps=(0.6, 0.85),
    ),
    Misconception(
        id="future_penalised_too",
        edits=((BACK, "back = distance.abs()"),),
        says="Later keys are penalised by their distance like earlier ones. They should get 0 here.",
        hint="formula",
        keeps=(0.6, 0.85),
    ),
    Misconception(
        id="mask_built_in",
        edits=((BACK, BACK + ".float().masked_fill(distance < 0, torch.inf)"),),
        says="Later keys get minus infinity: the causal mask is built in. It is separate here, and later "
        "keys get 0.",
        hint="nudge",
        keeps=(0.6, 0.85),
    ),
    Misconception(
        id="one_step_too_many",
        edits=((BACK, "back = (distance + 1).clamp(min=0)"),),
        says="The distances are one too large: even the token itself is penalised.",
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        id="position_of_the_key_alone",
        edits=((BACK, "back = -position.expand(num_tokens, num_tokens).tril()"),),
        says="The bias grows with the position of the key and leaves the query out. After a causal softmax"
        " the weights are the same, so it is done in practice; the exercise asks for minus the slope "
        "times q - k.",
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        id="share_of_the_length",
        edits=((BACK, BACK + " / num_tokens"),),
        says="Distances are divided by the number of tokens, so the same two tokens get another bias in a "
        "longer text.",
        hint="formula",
        keeps=(0.6, 0.85),
    ),
    Misconception(
        id="distance_squared",
        edits=((BACK, BACK + " ** 2"),),
        says="The penalty grows with the square of the distance. It is linear: each token further back "
        "costs the same.",
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        id="all_the_past_alike",
        edits=((BACK, BACK + ".clamp(max=1)"),),
        says="Every earlier key is penalised by the same amount. The penalty is to grow with the distance.",
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        id="first_slope_for_all_heads",
        edits=((BIAS, "return -slopes[0] * back.expand(n_heads, num_tokens, num_tokens)"),),
        says="The bias of every head is made with the slope of the first one.",
        hint="line",
        keeps=(0.7, 0.95),
    ),
    Misconception(
        id="heads_last",
        edits=((BIAS, "return -slopes * back[..., None]"),),
        says="The heads are the last dimension of the bias. They come first: a table of tokens for each "
        "head.",
        hint="line",
        keeps=(0.25, 0.45),
    ),
    Misconception(
        id="slopes_along_the_keys",
        edits=((BIAS, "return -slopes * back"),),
        says="The slopes meet the last dimension of the distances, the keys; unless there are as many "
        "heads as tokens that fails. Give them two more dimensions.",
        hint="line",
        keeps=(0.25, 0.45),
    ),
    Misconception(
        id="batch_dimension_added",
        edits=((BIAS, "return -slopes[None, :, None, None] * back"),),
        says="The bias has one more dimension, for a batch. The exercise asks for three: heads, queries, "
        "keys.",
        hint="line",
        keeps=(0.25, 0.45),
    ),
    Misconception(
        id="bias_of_integers",
        edits=((BIAS, "return (-slopes[:, None, None] * back).long()"),),
        says="The bias is made of whole numbers, so most of it is cut to 0.",
        hint="line",
        keeps=(0.25, 0.5),
    ),
]

TRIVIAL = [
    Trivial(
        id="zeros",
        edits=(
            (SLOPES, "return torch.zeros(n_heads)"),
            (BIAS, "return torch.zeros(n_heads, num_tokens, num_tokens)"),
        ),
    ),
    Trivial(
        id="ones",
        edits=(
            (SLOPES, "return torch.ones(n_heads)"),
            (BIAS, "return torch.ones(n_heads, num_tokens, num_tokens)"),
        ),
    ),
    Trivial(
        id="numbers_of_the_heads",
        edits=(
            (SLOPES, "return head.float()"),
            (BIAS, "return slopes[:, None, None].expand(-1, *back.shape)"),
        ),
    ),
    Trivial(
        id="a_causal_mask",
        edits=(
            (SLOPES, "return torch.ones(n_heads)"),
            (BIAS, "return torch.full((n_heads, num_tokens, num_tokens), -torch.inf).triu(1)"),
        ),
    ),
    Trivial(id="none", edits=((SLOPES, "return None"), (BIAS, "return None"))),
]
