"""How Exercise 3.3 goes wrong: other sizes, and other things that are counted."""

from softmarks.course.rooms import Misconception, Trivial

TOKENS = "tokens = 1024"
RATE = "rate = 0.0"
HEADS = "heads = 12"
MADE = "return attention_class(features, features, tokens, rate, heads, qkv_bias=False)"
LOOP = "for parameter in module.parameters():"
ADDED = "total += parameter.numel()"
RETURNED = "return total"

MISCONCEPTIONS = (
    Misconception(
        "context_of_768",
        ((TOKENS, "tokens = 768"),),
        says=(
            "The context length is 768, the width of the vectors. It is the number of tokens that counts "
            "here."
        ),
        hint="formula",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "context_of_256",
        ((TOKENS, "tokens = 256"),),
        says=(
            "The context length is 256, as many examples have it to save time. GPT-2 sees up to 1,024 tokens."
        ),
        hint="formula",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "width_of_the_wrapper",
        ((MADE, MADE.replace("features, features", "features, features * heads")),),
        says=(
            "d_out is multiplied by the number of heads. Here d_out is the width of all heads together; "
            "the wide layer would have 45 times as many parameters."
        ),
        hint="formula",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "d_out_of_one_head",
        ((MADE, MADE.replace("features, features", "features, features // heads")),),
        says="d_out is 64, the size of one head. It is to be the width of all heads together.",
        hint="formula",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "d_in_of_one_head",
        ((MADE, MADE.replace("features, features", "features // heads, features")),),
        says="d_in is 64, the size of one head. Every head sees the whole input, of 768 features.",
        hint="formula",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "heads_and_their_size_swapped",
        ((HEADS, "heads = 64"),),
        says="64 is the size of a head, 768 / 12. The number of heads is 12.",
        hint="formula",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "heads_of_the_first_transformer",
        ((HEADS, "heads = 8"),),
        says="8 heads are those of the first transformer, 512 wide. GPT-2 small has 12.",
        hint="formula",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "sizes_of_the_largest",
        (("features = 768", "features = 1600"), (HEADS, "heads = 25")),
        says="1,600 features and 25 heads are the sizes of the largest GPT-2, not of the smallest.",
        hint="nudge",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "sizes_of_the_medium_one",
        (("features = 768", "features = 1024"), (HEADS, "heads = 16")),
        says="1,024 features and 16 heads are the sizes of the second GPT-2 in line, not of the smallest.",
        hint="nudge",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "heads_before_dropout",
        ((MADE, MADE.replace("tokens, rate, heads", "tokens, heads, rate")),),
        says="The arguments are in the wrong order: the rate of dropout comes before the number of heads.",
        hint="line",
        keeps=(0.6, 0.9),
    ),
    Misconception(
        "heads_before_context",
        ((MADE, MADE.replace("tokens, rate, heads", "heads, rate, tokens")),),
        says="Context length and number of heads have changed places.",
        hint="line",
        keeps=(0.55, 0.8),
    ),
    Misconception(
        "biased_like_the_published_model",
        ((MADE, MADE.replace("qkv_bias=False", "qkv_bias=True")),),
        says=(
            "Queries, keys and values have biases. The published GPT-2 has them; the layer of the book "
            "has not."
        ),
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "dropout_switched_on",
        ((RATE, "rate = 0.1"),),
        says="The dropout rate is not 0. The exercise asks for a layer that drops nothing.",
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "the_class_is_returned",
        ((MADE, "return attention_class"),),
        says="The class itself is returned. Call it, with its sizes, to make an instance.",
        hint="line",
        keeps=(0.3, 0.6),
    ),
    Misconception(
        "a_class_of_its_own",
        (
            (
                MADE,
                "class MultiHeadAttention:\n"
                "        def __init__(self, *sizes):\n"
                "            self.sizes = sizes\n\n"
                "    return MultiHeadAttention(features, features, tokens, rate, heads)",
            ),
        ),
        says="The class that is handed in is never used: what comes back is an instance of another one.",
        hint="line",
        keeps=(0.3, 0.6),
    ),
    # counting
    Misconception(
        "tensors_counted",
        ((ADDED, "total += 1"),),
        says=(
            "The parameters are counted as tensors: one for each weight or bias. It is their entries that "
            "count."
        ),
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "rows_counted",
        ((ADDED, "total += len(parameter) if parameter.dim() else 1"),),
        says="Only the rows of each parameter are counted: len of a tensor is its first size.",
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "biases_left_out",
        ((ADDED, "total += parameter.numel() if parameter.dim() > 1 else 0"),),
        says="Only matrices are counted. Biases and other vectors are learned too.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "inner_modules_left_out",
        ((LOOP, "for parameter in module.parameters(recurse=False):"),),
        says=(
            "Only the parameters of the outermost module are counted; those of the layers within it are "
            "left out."
        ),
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "direct_children_alone",
        ((LOOP, "for parameter in (p for m in module.children() for p in m.parameters(recurse=False)):"),),
        says=(
            "Only the layers directly inside the module are counted: neither its own parameters nor those "
            "further within."
        ),
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "everything_saved_is_counted",
        ((LOOP, "for parameter in module.state_dict().values():"),),
        says=(
            "Everything that is saved is counted, buffers too. A mask is saved and not learned, and a "
            "shared parameter is saved twice."
        ),
        hint="nudge",
        keeps=(0.65, 0.85),
    ),
    Misconception(
        "buffers_counted_too",
        ((RETURNED, "return total + sum(buffer.numel() for buffer in module.buffers())"),),
        says="Buffers, such as a mask, are counted as well. They are not learned.",
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "trainable_ones_alone",
        ((ADDED, "total += parameter.numel() if parameter.requires_grad else 0"),),
        says="Frozen parameters are left out. They count here, whether they ask for gradients or not.",
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "shared_ones_counted_twice",
        ((LOOP, "for _, parameter in module.named_parameters(remove_duplicate=False):"),),
        says="A parameter that two layers share is counted for each of them. It is one parameter.",
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "millions_returned",
        ((RETURNED, "return total / 1e6"),),
        says="The count comes back in millions. It is to be the number itself, an int.",
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        "text_returned",
        ((RETURNED, 'return f"{total:,}"'),),
        says="The count comes back as text. It is to be an int.",
        hint="line",
        keeps=(0.4, 0.65),
    ),
)

TRIVIAL = (
    Trivial("nothing", ((MADE, "return None"), (RETURNED, "return None"))),
    Trivial("ones", ((MADE, "return attention_class(1, 1, 1, 1.0, 1, True)"), (RETURNED, "return 1"))),
    Trivial("zeros", ((MADE, "return attention_class(2, 2, 2, 0.0, 2)"), (RETURNED, "return 0"))),
    Trivial("arguments_returned", ((MADE, "return attention_class"), (RETURNED, "return module"))),
)
