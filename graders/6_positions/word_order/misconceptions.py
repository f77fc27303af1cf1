"""How people measure symmetry wrongly, and what they wrongly believe of attention."""

from softmarks.course.rooms import Misconception, Trivial

FIRST = "reordered_first = module(x[:, permutation])"
LAST = "reordered_last = module(x)[:, permutation]"
DIFFERENCE = "difference = reordered_first - reordered_last"
ERROR = "return difference.abs().max()"
OTHER = "other_order = module(x[:, permutation])"
GIVEN = "given_order = module(x)"
CHANGE = "change = other_order - given_order"
CHANGED = "return change.abs().max()"
PLAIN = '"plain": "equivariant"'
CAUSAL = '"causal": "neither"'
POOLED = '"pooled": "invariant"'
POSITIONED = '"positioned": "neither"'
FEATURES_TWICE = (
    "In equivariance_error the permutation is applied to the features, of the input and of the output alike; "
    "tokens are the second dimension."
)

MISCONCEPTIONS = [
    # --- equivariance_error
    Misconception(
        id="output_not_reordered",
        edits=((LAST, "reordered_last = module(x)"),),
        says="equivariance_error compares module(Px) with module(x): that is invariance. For "
        "equivariance the output for x is reordered too.",
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="input_not_reordered",
        edits=((FIRST, "reordered_first = module(x)"),),
        says="equivariance_error never shows the module another order: it compares module(x) with its own "
        "output, reordered.",
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="output_reordered_backwards",
        edits=((LAST, "reordered_last = module(x)[:, permutation.argsort()]"),),
        says=(
            "equivariance_error reorders the output with the inverse permutation. Both sides need the same "
            "one; only for orders that undo themselves, such as a swap, are the two alike."
        ),
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="other_convention",
        edits=(
            (FIRST, "reordered_first = module(x[:, permutation.argsort()])"),
            (LAST, "reordered_last = module(x)[:, permutation.argsort()]"),
        ),
        says="In equivariance_error token i goes to place permutation[i]; here place i gets the token "
        "permutation[i], which is what indexing with the permutation does.",
        hint="line",
        keeps=(0.6, 0.9),
    ),
    Misconception(
        id="features_reordered",
        edits=((FIRST, "reordered_first = module(x[..., permutation])"),),
        says="In equivariance_error the permutation is applied to the features of each token; tokens are the "
        "second dimension.",
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="features_reordered_on_both_sides",
        edits=(
            (FIRST, "reordered_first = module(x[..., permutation])"),
            (LAST, "reordered_last = module(x)[..., permutation]"),
        ),
        says=FEATURES_TWICE,
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="batch_reordered",
        edits=((FIRST, "reordered_first = module(x[permutation])"),),
        says="In equivariance_error the permutation is applied to the batch: a plain index takes the first "
        "dimension, and tokens are the second.",
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="mean_for_largest",
        edits=((ERROR, "return difference.abs().mean()"),),
        says="equivariance_error averages the differences; one wrong entry among many should count in full.",
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="sign_kept",
        edits=((ERROR, "return difference.max()"),),
        says="equivariance_error takes the largest difference with its sign, so a large negative one is "
        "overlooked.",
        hint="line",
        keeps=(0.55, 0.92),
    ),
    Misconception(
        id="euclidean_length",
        edits=((ERROR, "return difference.norm()"),),
        says=(
            "equivariance_error returns the Euclidean length of all differences together; the exercise asks "
            "for the largest single one."
        ),
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="squared",
        edits=((ERROR, "return difference.square().max()"),),
        says="equivariance_error returns the square of the largest difference.",
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="largest_entries_compared",
        edits=((DIFFERENCE, "difference = reordered_first.max() - reordered_last.max()"),),
        says="equivariance_error compares the largest entry of one output with the largest of the other; "
        "subtract entry by entry first.",
        hint="line",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="first_sequence_only",
        edits=((DIFFERENCE, "difference = reordered_first[0] - reordered_last[0]"),),
        says="equivariance_error looks at the first sequence of the batch only.",
        hint="line",
        keeps=(0.7, 0.97),
    ),
    Misconception(
        id="one_error_a_token",
        edits=((ERROR, "return difference.abs().amax(dim=-1)"),),
        says="equivariance_error returns one error a token; the exercise asks for one number for everything.",
        hint="line",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="yes_or_no",
        edits=((ERROR, "return torch.allclose(reordered_first, reordered_last)"),),
        says="equivariance_error answers yes or no; the exercise asks how large the error is.",
        hint="nudge",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="x_overwritten",
        edits=(
            (FIRST, "given = x.clone()\n    x[:] = x[:, permutation]\n    reordered_first = module(x)"),
            (LAST, "reordered_last = module(given)[:, permutation]"),
        ),
        says=(
            "equivariance_error reorders x itself, which belongs to whoever called. Put the reordered tokens "
            "into a new tensor."
        ),
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="matrix_in_float32",
        edits=((FIRST, "reordered_first = module(torch.eye(x.shape[1])[permutation] @ x)"),),
        says="equivariance_error multiplies by a permutation matrix of float32, which fits no float64 input; "
        "take the dtype of x, or an index.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    # --- invariance_error
    Misconception(
        id="invariance_reorders_the_output",
        edits=((GIVEN, "given_order = module(x)[:, permutation]"),),
        says="invariance_error reorders the output too: that is equivariance, and the output need not even "
        "have tokens. Invariance compares place by place.",
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="compared_with_the_input",
        edits=((GIVEN, "given_order = x"),),
        says="invariance_error compares the output with x itself; compare two outputs.",
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="invariance_keeps_the_sign",
        edits=((CHANGED, "return change.max()"),),
        says="invariance_error takes the largest difference with its sign, so a large negative one is "
        "overlooked.",
        hint="line",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        id="invariance_averages",
        edits=((CHANGED, "return change.abs().mean()"),),
        says="invariance_error averages the differences; the exercise asks for the largest.",
        hint="formula",
        keeps=(0.5, 0.75),
    ),
    Misconception(
        id="invariance_expects_tokens",
        edits=((CHANGED, "return change.abs().amax(dim=(0, 1, 2))"),),
        says=(
            "invariance_error expects a result with a certain number of dimensions; a module may give a "
            "vector a sequence, or a single number."
        ),
        hint="line",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        id="x_overwritten_for_invariance",
        edits=(
            (OTHER, "kept = x.clone()\n    x[:] = x[:, permutation]\n    other_order = module(x)"),
            (GIVEN, "given_order = module(kept)"),
        ),
        says=(
            "invariance_error reorders x itself, which belongs to whoever called. Put the reordered tokens "
            "into a new tensor."
        ),
        hint="line",
        keeps=(0.8, 0.97),
    ),
    # --- predictions
    Misconception(
        id="attention_called_invariant",
        edits=((PLAIN, '"plain": "invariant"'),),
        says=(
            "You call plain attention invariant, as many texts do. But when the tokens change places, so do "
            "their outputs."
        ),
        hint="nudge",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        id="attention_called_neither",
        edits=((PLAIN, '"plain": "neither"'),),
        says="You say that plain attention has neither symmetry. Each output is a weighted sum over the same "
        "set of tokens, in whatever order.",
        hint="nudge",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        id="mask_thought_irrelevant",
        edits=((CAUSAL, '"causal": "equivariant"'),),
        says="You say that causal attention is equivariant. Whom a token may see depends on its place, so a "
        "causal mask breaks the symmetry.",
        hint="nudge",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        id="pooling_called_equivariant",
        edits=((POOLED, '"pooled": "equivariant"'),),
        says="You call the pooled module equivariant; after the mean there are no tokens left whose order "
        "could follow.",
        hint="nudge",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        id="pooling_thought_to_depend_on_order",
        edits=((POOLED, '"pooled": "neither"'),),
        says="You say that the pooled module depends on the order. The outputs are the same vectors in "
        "another order, and a mean does not mind that.",
        hint="nudge",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        id="positions_thought_irrelevant",
        edits=((POSITIONED, '"positioned": "equivariant"'),),
        says="You call attention over tokens with positions equivariant. A token that moves gets the number "
        "of its new place, and so is another vector.",
        hint="nudge",
        keeps=(0.85, 0.97),
    ),
    Misconception(
        id="words_exchanged",
        edits=((PLAIN, '"plain": "invariant"'), (POOLED, '"pooled": "equivariant"')),
        says="The two words have changed places: equivariant means that the output moves along, invariant "
        "that it stays the same.",
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="keys_misspelt",
        edits=((POSITIONED, '"positions": "neither"'),),
        says="One of the four keys is missing from the dict, or is spelt in another way.",
        hint="line",
        keeps=(0.6, 0.8),
    ),
]

NEITHER = 'return {name: "neither" for name in ("plain", "causal", "pooled", "positioned")}\n    _ = {'
EQUIVARIANT = NEITHER.replace("neither", "equivariant")

TRIVIAL = [
    Trivial(id="zero", edits=((ERROR, "return 0.0"), (CHANGED, "return 0.0"), ("return {", NEITHER))),
    Trivial(
        id="all_invariant",
        edits=(
            (ERROR, "return torch.zeros(())"),
            (CHANGED, "return torch.ones(())"),
            ("return {", NEITHER.replace("neither", "invariant")),
        ),
    ),
    Trivial(
        id="one_and_equivariant",
        edits=((ERROR, "return 1.0"), (CHANGED, "return 1.0"), ("return {", EQUIVARIANT)),
    ),
    Trivial(
        id="the_input",
        edits=((ERROR, "return x"), (CHANGED, "return x"), ("return {", "return {}\n    _ = {")),
    ),
    Trivial(id="none", edits=((ERROR, "return"), (CHANGED, "return"), ("return {", "return\n    _ = {"))),
]
