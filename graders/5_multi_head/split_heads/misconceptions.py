"""How people get split_heads and merge_heads wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

REFUSED = "if d_model % num_heads != 0:"
HEAD_DIM = "head_dim = d_model // num_heads"
CUT = "cut = x.reshape(batch, num_tokens, num_heads, head_dim)"
HEADS = "return torch.transpose(cut, 1, 2)"
BY_TOKEN = "by_token = torch.transpose(x, 1, 2)"
MERGED = "return by_token.reshape(batch, num_tokens, num_heads * head_dim)"

MISCONCEPTIONS = (
    # split_heads
    Misconception(
        "split_without_transposing",
        ((CUT, "cut = x.reshape(batch, num_heads, num_tokens, head_dim)"), (HEADS, "return cut")),
        says=(
            "split_heads reshapes straight to (batch, heads, tokens, head_dim). The shape is right, but a "
            "reshape keeps the order of the numbers, so a head gets whole tokens. Cut, then transpose."
        ),
        hint="nudge",
        keeps=(0.5, 0.65),
    ),
    Misconception(
        "heads_behind_tokens",
        ((HEADS, "return cut"),),
        says=(
            "split_heads leaves the heads behind the tokens: (batch, tokens, heads, head_dim). Then @ would "
            "compare the heads of one token, not the tokens of one head."
        ),
        hint="formula",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "features_dealt_out",
        (
            (CUT, "cut = x.reshape(batch, num_tokens, head_dim, num_heads)"),
            (HEADS, "return cut.permute(0, 3, 1, 2)"),
        ),
        says=(
            "split_heads deals the features out in turn: with 3 heads, head 0 gets the features 0, 3, 6, … A "
            "head has features that are next to each other: cut into num_heads parts of head_dim."
        ),
        hint="formula",
        keeps=(0.5, 0.65),
    ),
    Misconception(
        "heads_and_head_dim_swapped",
        ((CUT, "cut = x.reshape(batch, num_tokens, head_dim, num_heads)"),),
        says=(
            "num_heads and head_dim have changed places in split_heads: there are head_dim heads of "
            "num_heads features."
        ),
        hint="formula",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "tokens_and_features_swapped",
        ((HEADS, "return cut.permute(0, 2, 3, 1)"),),
        says=(
            "In the result of split_heads the tokens are last. The last two dimensions are tokens and "
            "head_dim, in this order."
        ),
        hint="formula",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "heads_before_the_batch",
        ((HEADS, "return cut.permute(2, 0, 1, 3)"),),
        says="In the result of split_heads the heads stand before the batch. The batch stays first.",
        hint="formula",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "heads_joined_with_the_batch",
        ((HEADS, HEADS + ".reshape(batch * num_heads, num_tokens, head_dim)"),),
        says=(
            "split_heads joins heads and batch to one dimension. Some programs work like that; here they are "
            "two."
        ),
        hint="formula",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "split_along_the_tokens",
        ((CUT, "cut = x.reshape(batch, num_heads, -1, d_model)"), (HEADS, "return cut")),
        says="split_heads divides the tokens among the heads. Every head gets all tokens, and some features.",
        hint="nudge",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "never_split",
        ((CUT, "cut = x.unsqueeze(1)"), (HEADS, "return cut.expand(batch, num_heads, num_tokens, d_model)")),
        says="split_heads gives every head all features. Each gets d_model / num_heads of them.",
        hint="nudge",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "head_dim_with_a_point",
        ((HEAD_DIM, "head_dim = d_model / num_heads"),),
        says="head_dim is not an int: / gives a float, and no tensor has 3.0 features. Use //.",
        hint="line",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "list_of_heads",
        ((HEADS, "return list(cut.unbind(dim=2))"),),
        says="split_heads returns a list with a tensor for each head. One tensor holds them all.",
        hint="formula",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "dimensions_of_size_one_lost",
        ((HEADS, HEADS + ".squeeze()"),),
        says=(
            "In split_heads squeeze() takes every dimension of size 1 away: with a single head, token or "
            "sequence that dimension is lost."
        ),
        hint="line",
        keeps=(0.4, 0.55),
    ),
    Misconception(
        "rest_dropped",
        (
            (REFUSED, "if num_heads > d_model:"),
            (CUT, "x = x[..., : num_heads * head_dim]\n    " + CUT),
        ),
        says=(
            "If num_heads does not divide d_model, the features that are left over are dropped in silence. "
            "Raise an error."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "split_is_detached",
        ((HEADS, HEADS + ".detach()"),),
        says="split_heads cuts its result off from the gradient (detach, .data): nothing before it learns.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "heads_made_on_the_cpu",
        (
            (
                HEADS,
                "heads = torch.zeros(batch, num_heads, num_tokens, head_dim, dtype=x.dtype)\n"
                "    for head in range(num_heads):\n"
                "        heads[:, head] = cut[:, :, head]\n"
                "    return heads",
            ),
        ),
        says="split_heads fills a tensor that it makes on the CPU. Make it on the device of x, or make none.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "heads_in_float32",
        (
            (
                HEADS,
                "heads = torch.zeros(batch, num_heads, num_tokens, head_dim, device=x.device)\n"
                "    for head in range(num_heads):\n"
                "        heads[:, head] = cut[:, :, head]\n"
                "    return heads",
            ),
        ),
        says="split_heads fills a new tensor of float32. Make it with the dtype of x, or make none.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # merge_heads
    Misconception(
        "merged_without_transposing",
        ((BY_TOKEN, "by_token = x"),),
        says=(
            "merge_heads reshapes without swapping heads and tokens back. The shape is right, but a reshape "
            "keeps the order of the numbers, so features of several tokens end up in one row."
        ),
        hint="nudge",
        keeps=(0.45, 0.6),
    ),
    Misconception(
        "view_of_a_transposed_tensor",
        ((MERGED, MERGED.replace("reshape", "view")),),
        says=(
            "merge_heads calls view on a transposed tensor, whose numbers do not lie in order. Call "
            "contiguous() between the two, or reshape."
        ),
        hint="line",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "argument_viewed",
        (
            (
                BY_TOKEN,
                "rows = x.view(batch * num_heads, num_tokens, head_dim)\n"
                "    by_token = rows.unflatten(0, (batch, num_heads)).transpose(1, 2)",
            ),
        ),
        says=(
            "merge_heads calls view on its argument, and that fails when the argument was transposed before, "
            "as the result of split_heads was."
        ),
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "argument_viewed_across_tokens",
        (
            (
                BY_TOKEN,
                "rows = x.view(batch, num_heads * num_tokens, head_dim)\n"
                "    by_token = rows.unflatten(1, (num_heads, num_tokens)).transpose(1, 2)",
            ),
        ),
        says=(
            "merge_heads calls view on its argument, and that fails whichever dimensions of the argument "
            "have changed places before. Transpose first, then reshape."
        ),
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "merged_from_the_end",
        ((BY_TOKEN, "by_token = torch.transpose(x, 2, 3)"),),
        says=(
            "merge_heads swaps tokens and head_dim. Heads and tokens are to be swapped, so that the heads "
            "stand just before their features."
        ),
        hint="formula",
        keeps=(0.45, 0.6),
    ),
    Misconception(
        "features_interleaved",
        ((BY_TOKEN, "by_token = x.permute(0, 2, 3, 1)"),),
        says=(
            "merge_heads alternates the heads: feature 0 of every head, then feature 1 of every head. Head 0 "
            "comes first, with all its features."
        ),
        hint="formula",
        keeps=(0.45, 0.6),
    ),
    Misconception(
        "last_dimensions_not_joined",
        ((MERGED, "return by_token"),),
        says="merge_heads swaps heads and tokens, but does not join the last two dimensions to one.",
        hint="formula",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "joined_with_the_tokens",
        ((MERGED, "return x.flatten(start_dim=1, end_dim=2)"),),
        says="merge_heads puts the heads one after another as if they were more tokens. Join their features.",
        hint="formula",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "tokens_joined_with_features",
        ((MERGED, "return x.flatten(start_dim=2)"),),
        says="merge_heads joins tokens and features. Join heads and features; the tokens stay apart.",
        hint="formula",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "heads_averaged",
        ((MERGED, "return x.mean(dim=1)"),),
        says="merge_heads averages the heads. They are to stand side by side, so that nothing is lost.",
        hint="nudge",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "heads_summed",
        ((MERGED, "return x.sum(dim=1)"),),
        says="merge_heads adds the heads up. They are to stand side by side, so that nothing is lost.",
        hint="nudge",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "first_head_alone",
        ((MERGED, "return x[:, 0]"),),
        says=(
            "merge_heads returns one head alone. All heads are to stand side by side, so that nothing is "
            "lost."
        ),
        hint="nudge",
        keeps=(0.35, 0.5),
    ),
    Misconception(
        "merge_is_detached",
        ((MERGED, MERGED + ".detach()"),),
        says="merge_heads cuts its result off from the gradient (detach, .data): nothing before it learns.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "features_made_on_the_cpu",
        (
            (
                MERGED,
                "merged = torch.zeros(batch, num_tokens, num_heads * head_dim, dtype=x.dtype)\n"
                "    for head in range(num_heads):\n"
                "        merged[..., head * head_dim : (head + 1) * head_dim] = x[:, head]\n"
                "    return merged",
            ),
        ),
        says="merge_heads fills a tensor that it makes on the CPU. Make it on the device of x, or make none.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "features_in_float32",
        (
            (
                MERGED,
                "merged = torch.zeros(batch, num_tokens, num_heads * head_dim, device=x.device)\n"
                "    for head in range(num_heads):\n"
                "        merged[..., head * head_dim : (head + 1) * head_dim] = x[:, head]\n"
                "    return merged",
            ),
        ),
        says="merge_heads fills a new tensor of float32. Make it with the dtype of x, or make none.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
)

TRIVIAL = (
    Trivial("nothing", ((REFUSED, "if True:\n        return None\n    " + REFUSED), (MERGED, "return None"))),
    Trivial("the_input_itself", ((HEADS, "return x"), (MERGED, "return x"))),
    Trivial(
        "zeros",
        (
            (HEADS, "return torch.zeros(batch, num_heads, num_tokens, head_dim)"),
            (MERGED, "return torch.zeros(batch, num_tokens, num_heads * head_dim)"),
        ),
    ),
    Trivial(
        "reshapes_alone",
        ((HEADS, "return x.reshape(batch, num_heads, num_tokens, head_dim)"), (BY_TOKEN, "by_token = x")),
    ),
    Trivial("a_constant", ((HEADS, "return torch.ones_like(cut.transpose(1, 2))"), (MERGED, "return 1.0"))),
)
