"""How people get attention_dropout wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

CHECK = "if not 0 <= rate <= 1:"
TRAINING = "if not training:"
OUTSIDE = "return weights\n"
ONE = "if rate == 1:"
DRAWS = "draws = torch.rand_like(weights)"
DROPPED = "dropped = draws < rate"
SCALED = "scaled = weights / (1 - rate)"
RESULT = "return scaled.masked_fill(dropped, 0.0)"

# what is right at a rate of 0 by itself, and hides there what is wrong elsewhere
NOTHING_TO_DROP = (TRAINING, "if not training or rate == 0:")

MISCONCEPTIONS = (
    # the scale
    Misconception(
        "survivors_not_enlarged",
        ((SCALED, "scaled = weights"),),
        says=(
            "The survivors stay as they are, so training sees less attention on average. Divide them by "
            "1 - rate."
        ),
        hint="formula",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "divided_by_rate",
        ((SCALED, "scaled = weights / rate"),),
        says=(
            "The survivors are divided by the rate. At a rate of 0.5 you do not notice; in general divide by "
            "1 - rate."
        ),
        hint="formula",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "divided_by_rate_unless_0",
        ((SCALED, "scaled = weights / rate"), NOTHING_TO_DROP),
        says=(
            "The survivors are divided by the rate. At a rate of 0.5 you do not notice; in general divide by "
            "1 - rate."
        ),
        hint="formula",
        keeps=(0.35, 0.65),
    ),
    Misconception(
        "multiplied_by_what_is_kept",
        ((SCALED, "scaled = weights * (1 - rate)"),),
        says="The survivors are multiplied by 1 - rate and become smaller. They must grow: divide by it.",
        hint="formula",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "enlarged_twice",
        ((RESULT, "return scaled.masked_fill(dropped, 0.0) / (1 - rate)"),),
        says="The survivors are divided by 1 - rate twice.",
        hint="formula",
        keeps=(0.35, 0.55),
    ),
    Misconception(
        "rows_renormalised",
        (
            (
                RESULT,
                "kept = scaled.masked_fill(dropped, 0.0)\n    return kept / kept.sum(dim=-1, keepdim=True)",
            ),
        ),
        says=(
            "Each row is brought back to the sum 1. It is to have this sum on average only, and a row that "
            "lost everything becomes nan."
        ),
        hint="formula",
        keeps=(0.1, 0.35),
    ),
    Misconception(
        "scaled_outside_training_instead",
        ((OUTSIDE, "return weights * (1 - rate)\n"), (SCALED, "scaled = weights")),
        says=(
            "Survivors stay as they are, and weights shrink outside training: an older form of dropout. Here "
            "the survivors grow in training."
        ),
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        "scaled_outside_training_too",
        ((OUTSIDE, "return weights / (1 - rate)\n"),),
        says="Weights are divided by 1 - rate outside training as well, where nothing was dropped.",
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    # what is drawn
    Misconception(
        "rate_is_kept",
        ((DROPPED, "dropped = draws >= rate"), (SCALED, "scaled = weights / rate")),
        says="The rate is taken for the share of weights to keep. It is the share to drop.",
        hint="nudge",
        keeps=(0.1, 0.35),
    ),
    Misconception(
        "wrong_side_dropped",
        ((DROPPED, "dropped = draws > rate"),),
        says=(
            "The comparison is the wrong way round: a number from 0 to 1 lies above the rate with "
            "probability 1 - rate."
        ),
        hint="line",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "wrong_side_dropped_unless_0",
        ((DROPPED, "dropped = draws > rate"), NOTHING_TO_DROP),
        says=(
            "The comparison is the wrong way round: a number from 0 to 1 lies above the rate with "
            "probability 1 - rate."
        ),
        hint="line",
        keeps=(0.55, 0.9),
    ),
    Misconception(
        "draw_at_the_rate_dropped",
        ((DROPPED, "dropped = draws <= rate"),),
        says=(
            "A draw that equals the rate is dropped too. A draw can be exactly 0, so at a rate of 0 some "
            "weights vanish; drop what lies below the rate."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "normal_numbers_drawn",
        ((DRAWS, "draws = torch.randn_like(weights)"),),
        says=(
            "The numbers are drawn from a normal distribution. It takes numbers spread evenly from 0 to 1: "
            "those lie below the rate with probability rate."
        ),
        hint="line",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "normal_numbers_drawn_unless_0",
        ((DRAWS, "draws = torch.randn_like(weights)"), NOTHING_TO_DROP),
        says=(
            "The numbers are drawn from a normal distribution. It takes numbers spread evenly from 0 to 1: "
            "those lie below the rate with probability rate."
        ),
        hint="line",
        keeps=(0.55, 0.9),
    ),
    Misconception(
        "small_weights_dropped",
        ((DROPPED, "dropped = weights < rate"),),
        says=(
            "The weights that are smaller than the rate are dropped. Dropout draws at random, whatever "
            "the weights."
        ),
        hint="nudge",
        keeps=(0.05, 0.65),
    ),
    Misconception(
        "one_draw_for_all",
        ((DRAWS, "draws = torch.rand((), device=weights.device)"),),
        says=(
            "One number is drawn for the whole tensor, so all weights are dropped or none. Each has a "
            "draw of its own."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "whole_rows_dropped",
        ((DRAWS, "draws = torch.rand_like(weights[..., :1])"),),
        says="One number is drawn for each query, so whole rows vanish. Draw one for every single weight.",
        hint="nudge",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "whole_columns_dropped",
        ((DRAWS, "draws = torch.rand_like(weights[..., :1, :])"),),
        says=(
            "One number is drawn for each key, so a token vanishes for all queries. Draw one for every "
            "single weight."
        ),
        hint="nudge",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "one_table_for_the_batch",
        ((DRAWS, "draws = torch.rand(weights.shape[-2:], device=weights.device)"),),
        says=(
            "One table of random numbers serves the whole batch, so all its tables of weights lose the same "
            "ones. Draw one number for every single weight."
        ),
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        "same_draws_in_every_call",
        ((DRAWS, "torch.manual_seed(123)\n    " + DRAWS),),
        says=(
            "A seed is set in the function, so every call drops the same weights. Leave the seed to the "
            "caller."
        ),
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "exact_number_dropped",
        (
            (
                DROPPED,
                "places = draws.flatten().argsort().argsort().reshape(weights.shape)\n"
                "    dropped = places < round(rate * weights.numel())",
            ),
        ),
        says=(
            "Exactly the share `rate` of all weights is dropped in each call. Each weight is to be drawn by "
            "itself, so the number varies."
        ),
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "noise_added",
        ((RESULT, "return weights + rate * torch.randn_like(weights)"),),
        says="Noise is added to every weight. Dropout sets some weights to 0 and enlarges the others.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "minus_infinity_filled_in",
        ((RESULT, "return scaled.masked_fill(dropped, -torch.inf)"),),
        says=(
            "Dropped weights become minus infinity. That is for scores, before the softmax; a weight is "
            "dropped by a 0."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "fill_thrown_away",
        ((RESULT, "scaled.masked_fill(dropped, 0.0)\n    return scaled"),),
        says="The result of masked_fill is thrown away: without an underscore it returns a new tensor.",
        hint="line",
        keeps=(0.1, 0.25),
    ),
    # the modes
    Misconception(
        "training_ignored",
        ((TRAINING, "if rate == 0:"),),
        says="The argument training is not used: weights are dropped outside training too.",
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "modes_reversed",
        ((TRAINING, "if training:"),),
        says="The modes are reversed: weights are dropped outside training, and never in it.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    # the ends, and what is refused
    Misconception(
        "nan_at_rate_one",
        ((ONE, "if rate > 1:"), (RESULT, "return scaled * ~dropped")),
        says=(
            "At a rate of 1 the weights are divided by 0, and infinity times 0 is nan. That rate needs "
            "a case of its own."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "division_by_zero_at_rate_one",
        ((ONE, "if rate > 1:"), (SCALED, "scaled = weights * (1 / (1 - rate))")),
        says=(
            "At a rate of 1 the factor 1 / (1 - rate) cannot be computed. That rate needs a case of its own."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "weights_kept_at_rate_one",
        (("return torch.zeros_like(weights)", "return weights.clone()"),),
        says="At a rate of 1 the weights come back unchanged. All of them are dropped there.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "rate_one_refused",
        ((CHECK, "if not 0 <= rate < 1:"),),
        says="A rate of 1 is refused. It is a probability, and the result is zeros.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "rate_zero_refused",
        ((CHECK, "if not 0 < rate <= 1:"),),
        says="A rate of 0 is refused. It is a probability, and nothing is dropped.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "rate_not_checked",
        ((CHECK, "if rate != rate:"),),
        says="Rates that are no probabilities are accepted in silence. Raise a ValueError.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "negative_rate_accepted",
        ((CHECK, "if rate > 1:"),),
        says="A rate above 1 is refused, but a negative one is not.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "large_rate_accepted",
        ((CHECK, "if rate < 0:"),),
        says="A negative rate is refused, but one above 1 is not.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # tensors
    Misconception(
        "input_changed",
        ((RESULT, "weights.copy_(scaled.masked_fill(dropped, 0.0))\n    return weights"),),
        says=(
            "The result is written into the tensor that you were given, so the next call starts from weights "
            "that were dropped already. Return a new tensor."
        ),
        hint="line",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "gradient_cut_off",
        ((SCALED, "scaled = weights.detach() / (1 - rate)"),),
        says="The weights are cut off from the gradient, so nothing before them can learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "drawn_on_the_cpu",
        ((DRAWS, "draws = torch.rand(weights.shape)"),),
        says=(
            "The numbers are drawn on the CPU, and cannot meet weights on a GPU. Draw them where the "
            "weights are."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "mask_of_float32",
        ((RESULT, "return scaled * (~dropped).float()"),),
        says=(
            "The mask is made of float32 numbers, and weights of bfloat16 multiplied by them become float32. "
            "The result must keep the number type of the weights."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "torchs_own_dropout",
        ((RESULT, "return torch.nn.functional.dropout(weights, rate, training)"),),
        says="Torch's own dropout does the work. The result is right; here it is to be written by hand.",
        hint="formula",
        keeps=(0.85, 0.99),
    ),
)

TRIVIAL = (
    Trivial("the_input_itself", ((RESULT, "return weights"),)),
    Trivial("zeros", ((RESULT, "return torch.zeros_like(weights)"),)),
    Trivial("everything_enlarged", ((RESULT, "return scaled"),)),
    Trivial("everything_diminished", ((RESULT, "return weights * (1 - rate)"),)),
    Trivial("random_numbers", ((RESULT, "return draws"),)),
    Trivial("nothing", ((RESULT, "return None"),)),
)
