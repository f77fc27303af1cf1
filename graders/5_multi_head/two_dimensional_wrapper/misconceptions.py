"""How Exercise 3.2 goes wrong: arguments that fit the book's example, or nothing, or too much."""

from softmarks.course.rooms import Misconception, Trivial

SIZES = "_, num_tokens, d_in = batch.shape"
D_OUT = "d_out = 1"
RETURN = "return wrapper_class(d_in, d_out, num_tokens, 0.0, num_heads=2)"

MISCONCEPTIONS = (
    # d_out and num_heads
    Misconception(
        "d_out_of_the_book",
        ((D_OUT, "d_out = 2"),),
        says=(
            "d_out is still 2. It is the number of features of one head, and two heads stand side by side: "
            "that makes four."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "d_out_doubled",
        ((D_OUT, "d_out = 4"),),
        says="d_out went up instead of down: two heads of 4 features make 8.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "one_head",
        ((D_OUT, "d_out = 2"), (RETURN, RETURN.replace("num_heads=2", "num_heads=1"))),
        says="There are two features, but one head makes them. The exercise keeps num_heads=2.",
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "one_head_of_one_feature",
        ((RETURN, RETURN.replace("num_heads=2", "num_heads=1")),),
        says=(
            "d_out and num_heads are both 1, and so is the number of features. The exercise keeps "
            "num_heads=2."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "three_heads",
        ((RETURN, RETURN.replace("num_heads=2", "num_heads=3")),),
        says="There are three heads. The exercise asks for two.",
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "num_heads_left_out",
        ((RETURN, RETURN.replace(", num_heads=2", "")),),
        says="num_heads is not given, and it has no default.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "d_out_with_a_point",
        ((D_OUT, "d_out = 2 / 2"),),
        says=(
            "d_out is not an int: / gives a float, even where it divides without rest, and no layer has 1.0 "
            "(or 0.5) features. Write the int, or use //."
        ),
        hint="line",
        keeps=(0, 0.1),
    ),
    # the other sizes
    Misconception(
        "d_in_one",
        ((RETURN, RETURN.replace("d_in,", "1,")),),
        says="d_in is 1. It is the number of features of the input, and follows from the batch.",
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "context_length_two",
        ((RETURN, RETURN.replace("num_tokens", "2")),),
        says=("context_length is 2. It counts tokens, not features: the wrapper has to take all tokens."),
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "context_length_from_the_batch_size",
        ((SIZES, "num_tokens, _, d_in = batch.shape"),),
        says="context_length is the number of sequences. It has to be the number of tokens, the second size.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "context_length_one_short",
        ((RETURN, RETURN.replace("num_tokens", "num_tokens - 1")),),
        says="context_length is one less than the batch has tokens.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "context_length_from_the_features",
        ((RETURN, RETURN.replace("num_tokens", "d_in")),),
        says="context_length is the number of features of the input. It has to be the number of tokens.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "tokens_and_features_swapped",
        ((SIZES, "_, d_in, num_tokens = batch.shape"),),
        says="Tokens and features have changed places: a batch is (batch, tokens, d_in).",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "batch_size_for_d_in",
        ((SIZES, "d_in, num_tokens, _ = batch.shape"),),
        says="d_in is the number of sequences. It has to be the number of features, the last size.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "numbers_of_the_book",
        ((SIZES, "num_tokens, d_in = 6, 3"),),
        says=(
            "6 and 3 are the sizes of the book's batch. Take context_length and d_in from the batch that is "
            "given."
        ),
        hint="line",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "context_length_of_the_book",
        ((RETURN, RETURN.replace("num_tokens", "6")),),
        says="context_length is 6, as in the book, so batches with more tokens are refused.",
        hint="line",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "d_in_of_the_book",
        ((RETURN, RETURN.replace("d_in,", "3,")),),
        says=(
            "d_in is 3, as in the book, so a batch whose tokens have another number of features does not fit."
        ),
        hint="line",
        keeps=(0.55, 0.75),
    ),
    # the rest of the arguments
    Misconception(
        "dropout_left_on",
        ((RETURN, RETURN.replace("0.0", "0.5")),),
        says="The dropout is not 0.0, so in train mode weights are dropped.",
        hint="line",
        keeps=(0.7, 0.85),
    ),
    Misconception(
        "dropout_of_a_tenth",
        ((RETURN, RETURN.replace("0.0", "0.1")),),
        says="The dropout is 0.1, as many models have it. Here it is 0.0.",
        hint="line",
        keeps=(0.7, 0.85),
    ),
    Misconception(
        "biases_added",
        ((RETURN, RETURN.replace("num_heads=2", "num_heads=2, qkv_bias=True")),),
        says="The projections have a bias. qkv_bias stays at its default, which is False.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    # something else than such a wrapper
    Misconception(
        "context_returned",
        ((RETURN, RETURN + "(batch)"),),
        says="The context vectors are returned. Return the wrapper itself; others will call it.",
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "pair_returned",
        ((RETURN, RETURN.replace("return", "wrapper =") + "\n    return wrapper, wrapper(batch)"),),
        says="A pair is returned. Return the wrapper alone.",
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "projected_to_two_features",
        (
            (D_OUT, "from torch import nn\n\n    d_out = 2"),
            (RETURN, RETURN.replace("return ", "return nn.Sequential(") + ", nn.Linear(4, 2))"),
        ),
        says=(
            "Another layer brings four features down to two. Nothing is added to the wrapper: one of its "
            "arguments is enough."
        ),
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "cut_to_two_features",
        (
            (
                D_OUT,
                "class Cut(wrapper_class):\n        def forward(self, x):\n"
                "            return super().forward(x)[..., :2]\n\n    d_out = 2",
            ),
            (RETURN, RETURN.replace("wrapper_class", "Cut")),
        ),
        says=(
            "Four features are computed and two of them cut off, so the second head is thrown away. Each "
            "head is to have one."
        ),
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "heads_averaged",
        (
            (
                D_OUT,
                "class Mean(wrapper_class):\n        def forward(self, x):\n"
                "            return super().forward(x).unflatten(-1, (2, 2)).mean(dim=-2)\n\n    d_out = 2",
            ),
            (RETURN, RETURN.replace("wrapper_class", "Mean")),
        ),
        says="The two heads of two features are averaged. Each head is to have one feature, and keep it.",
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
)

TRIVIAL = (
    Trivial("nothing", ((RETURN, "return None"),)),
    Trivial("the_class", ((RETURN, "return wrapper_class"),)),
    Trivial("two_columns_of_the_batch", ((RETURN, "return batch[..., :2]"),)),
    Trivial("the_batch", ((RETURN, "return batch"),)),
    Trivial("a_linear_layer", ((D_OUT, "from torch import nn"), (RETURN, "return nn.Linear(d_in, 2)"))),
    Trivial("the_call_of_the_book", ((RETURN, "return wrapper_class(3, 2, 6, 0.0, num_heads=2)"),)),
)
