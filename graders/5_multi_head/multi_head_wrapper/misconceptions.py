"""How people get MultiHeadAttentionWrapper wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

LOOP = "for _ in range(num_heads):"
HEAD = "head = CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)"
APPEND = "heads.append(head)"
KEPT = "self.heads = nn.ModuleList(heads)"
CONTEXTS = "contexts = [head(x) for head in self.heads]"
RESULT = "return torch.cat(contexts, dim=-1)"

CHAIN = """contexts = []
        for head in self.heads:
            x = head(x)
            contexts.append(x)"""

MISCONCEPTIONS = (
    # how the heads are kept
    Misconception(
        "plain_list",
        ((KEPT, "self.heads = heads"),),
        says=(
            "The heads are kept in a plain Python list, where the module does not find them: they are not "
            "trained, saved, moved or put into eval mode. Use nn.ModuleList."
        ),
        hint="line",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        "one_head_many_times",
        ((KEPT, "self.heads = nn.ModuleList(heads[:1] * num_heads)"),),
        says=(
            "The list holds one and the same head several times, so all heads share their weights. "
            "[head] * num_heads does not make new heads."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "copies_of_one_head",
        (
            (
                KEPT,
                "import copy\n\n        self.heads = nn.ModuleList([copy.deepcopy(heads[0]) for _ in heads])",
            ),
        ),
        says=(
            "The heads are copies of one head, so all start from the same weights, compute the same, and get "
            "the same gradients: make each one anew."
        ),
        hint="nudge",
        keeps=(0.7, 0.9),
    ),
    Misconception(
        "queries_shared",
        ((APPEND, APPEND + "\n            head.W_query = heads[0].W_query"),),
        says="All heads share one query projection. Each head needs three projections of its own.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "projections_shared",
        (
            (
                APPEND,
                APPEND
                + '\n            for name in ("W_query", "W_key", "W_value"):'
                + "\n                setattr(head, name, getattr(heads[0], name))",
            ),
        ),
        says="All heads share the projections of the first, so they all compute the same.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "heads_made_in_forward",
        (
            (
                KEPT,
                "self.given = d_in, d_out, context_length, dropout, qkv_bias\n        self.count = num_heads",
            ),
            (CONTEXTS, "contexts = [CausalAttention(*self.given)(x) for _ in range(self.count)]"),
        ),
        says=(
            "The heads are made anew in every call, with random weights that nothing can train or save. Make "
            "them once, in __init__, and keep them as heads."
        ),
        hint="nudge",
        keeps=(0, 0.1),
    ),
    # how many, and how large
    Misconception(
        "one_head_alone",
        ((LOOP, "for _ in range(1):"),),
        says="There is one head, whatever num_heads says.",
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "always_two_heads",
        ((LOOP, "for _ in range(2):"),),
        says="There are two heads, as in the book's example, whatever num_heads says.",
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "d_out_divided",
        ((HEAD, HEAD.replace("d_out", "d_out // num_heads")),),
        says=(
            "d_out is divided among the heads. Here it is the size of one head, and the result has "
            "d_out * num_heads features."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "d_out_multiplied",
        ((HEAD, HEAD.replace("d_out", "d_out * num_heads")),),
        says=(
            "Every head has d_out * num_heads features. That is the size of all heads together; one head has "
            "d_out."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "d_in_and_d_out_swapped",
        ((HEAD, HEAD.replace("d_in, d_out", "d_out, d_in")),),
        says="d_in and d_out have changed places when they are handed on: the head takes d_in first.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "context_divided",
        ((HEAD, HEAD.replace("context_length", "context_length // num_heads")),),
        says=(
            "context_length is divided among the heads, so they take short inputs only. Every head sees all "
            "tokens."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "context_length_fixed",
        ((HEAD, HEAD.replace("context_length", "1024")),),
        says="context_length is not handed on: a fixed number is, so inputs that are too long are accepted.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "input_split_among_heads",
        (
            (HEAD, HEAD.replace("d_in", "d_in // num_heads")),
            (
                CONTEXTS,
                "parts = x.chunk(len(self.heads), dim=-1)\n"
                "        contexts = [head(part) for head, part in zip(self.heads, parts)]",
            ),
        ),
        says="The features of the input are divided among the heads. Every head gets all of the input.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    # handing on the rest
    Misconception(
        "dropout_not_handed_on",
        ((HEAD, HEAD.replace("dropout", "0.0")),),
        says="dropout is not handed on to the heads: in train mode nothing is dropped.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "dropout_of_one_half",
        ((HEAD, HEAD.replace("dropout", "0.5")),),
        says="dropout is not handed on to the heads: they drop half of their weights whatever it says.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "dropout_and_bias_swapped",
        ((HEAD, HEAD.replace("dropout, qkv_bias", "qkv_bias, dropout")),),
        says=(
            "dropout and qkv_bias have changed places when they are handed on. Nothing complains: False is "
            "the rate 0, and 0.0 is no bias."
        ),
        hint="line",
        keeps=(0.7, 0.92),
    ),
    Misconception(
        "contexts_dropped_too",
        (
            (KEPT, KEPT + "\n        self.dropout = nn.Dropout(dropout)"),
            (RESULT, "return self.dropout(torch.cat(contexts, dim=-1))"),
        ),
        says=(
            "Dropout is applied once more, to the concatenated contexts: it drops single features. The heads "
            "drop their weights already."
        ),
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "bias_not_handed_on",
        ((HEAD, HEAD.replace(", qkv_bias", "")),),
        says="qkv_bias is not handed on: the heads never have a bias.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "bias_always",
        ((HEAD, HEAD.replace("qkv_bias", "qkv_bias=True")),),
        says="The heads always have a bias. They have one only if qkv_bias says so.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    # how the contexts are put together
    Misconception(
        "concatenated_over_tokens",
        ((RESULT, "return torch.cat(contexts, dim=1)"),),
        says=(
            "The contexts are concatenated along dimension 1, the tokens, so there are more tokens than "
            "before. The features are the last dimension."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "concatenated_over_the_batch",
        ((RESULT, "return torch.cat(contexts)"),),
        says=(
            "The contexts are concatenated along dimension 0, the batch: torch.cat does that when no dim is "
            "given. The features are the last dimension."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "stacked_before_the_batch",
        ((RESULT, "return torch.stack(contexts)"),),
        says=(
            "torch.stack adds a dimension for the heads, here the first. The features are to be joined, so "
            "the result stays three-dimensional."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "stacked_before_the_tokens",
        ((RESULT, "return torch.stack(contexts, dim=1)"),),
        says=(
            "The heads have a dimension of their own, before the tokens. The features are to be joined, so "
            "the result stays three-dimensional."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "stacked_behind_the_features",
        ((RESULT, "return torch.stack(contexts, dim=-1)"),),
        says=(
            "torch.stack adds a dimension for the heads, here the last. The features are to be joined, so "
            "the result stays three-dimensional."
        ),
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "features_interleaved",
        ((RESULT, "return torch.stack(contexts, dim=-1).flatten(start_dim=2)"),),
        says=(
            "The features of the heads alternate: first every head's feature 0, then every head's feature 1. "
            "Head 0 comes first, with all its features."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "tokens_mixed_by_reshape",
        ((RESULT, "return torch.stack(contexts, dim=1).reshape(x.shape[0], x.shape[1], -1)"),),
        says=(
            "The shape is right, but the reshape reads the numbers in the wrong order: heads stood before "
            "tokens, so features of several tokens end up in one row."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "sequences_mixed_by_reshape",
        ((RESULT, "return torch.cat(contexts).reshape(x.shape[0], x.shape[1], -1)"),),
        says=(
            "The shape is right, but the reshape reads the numbers in the wrong order: the heads were joined "
            "along the batch, so sequences and tokens are mixed."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "heads_summed",
        ((RESULT, "return sum(contexts)"),),
        says="The heads are added up. They are to stand side by side, so that nothing of them is lost.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "heads_averaged",
        ((RESULT, "return sum(contexts) / len(contexts)"),),
        says="The heads are averaged. They are to stand side by side, so that nothing of them is lost.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    Misconception(
        "heads_in_reverse",
        ((RESULT, "return torch.cat(contexts[::-1], dim=-1)"),),
        says="The heads stand in reverse order: head 0 comes first.",
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "first_head_repeated",
        ((RESULT, "return torch.cat([contexts[0]] * len(contexts), dim=-1)"),),
        says="The context of head 0 is repeated; the other heads never reach the result.",
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "last_head_alone",
        ((RESULT, "return contexts[-1]"),),
        says="Only the context of the last head is returned; the other heads are lost.",
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "contexts_in_a_list",
        ((RESULT, "return contexts"),),
        says="forward returns a list with a context for each head. Join them to one tensor.",
        hint="line",
        keeps=(0, 0.1),
    ),
    Misconception(
        "features_before_tokens",
        ((RESULT, "return torch.cat(contexts, dim=-1).transpose(1, 2)"),),
        says="The result is (batch, features, tokens): its last two dimensions have changed places.",
        hint="formula",
        keeps=(0, 0.1),
    ),
    # how the heads are called
    Misconception(
        "chained",
        (
            (
                CONTEXTS,
                CHAIN,
            ),
        ),
        says=(
            "Each head gets the context of the head before it, whose d_out features do not fit. The heads "
            "are independent: each gets x."
        ),
        hint="nudge",
        keeps=(0, 0.1),
    ),
    Misconception(
        "chained_with_fitting_sizes",
        (
            (HEAD, HEAD.replace("d_in", "d_out if heads else d_in")),
            (
                CONTEXTS,
                CHAIN,
            ),
        ),
        says=(
            "The heads form a chain: each gets the context of the one before it. They are independent: each "
            "gets x."
        ),
        hint="nudge",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "output_projected",
        (
            (KEPT, KEPT + "\n        self.out_proj = nn.Linear(d_out * num_heads, d_out * num_heads)"),
            (RESULT, "return self.out_proj(torch.cat(contexts, dim=-1))"),
        ),
        says=(
            "The contexts go through one more linear layer. This wrapper has none; the class with one large "
            "projection, later on, has it."
        ),
        hint="formula",
        keeps=(0.1, 0.25),
    ),
    Misconception(
        "one_head_learns",
        ((CONTEXTS, "contexts = [self.heads[0](x), *(head(x).detach() for head in self.heads[1:])]"),),
        says="Contexts are cut off from the gradient (detach, no_grad, .data), so not all heads learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "result_made_on_the_cpu",
        (
            (
                RESULT,
                "context = torch.zeros(*x.shape[:2], sum(c.shape[-1] for c in contexts), dtype=x.dtype)\n"
                "        start = 0\n"
                "        for part in contexts:\n"
                "            context[..., start : start + part.shape[-1]] = part\n"
                "            start += part.shape[-1]\n"
                "        return context",
            ),
        ),
        says=(
            "The result is put together in a tensor that is made on the CPU, so it does not follow the "
            "module to a GPU. Make it on the device of x, or concatenate."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "result_in_float32",
        (
            (
                RESULT,
                "context = torch.zeros(*x.shape[:2], sum(c.shape[-1] for c in contexts), device=x.device)\n"
                "        start = 0\n"
                "        for part in contexts:\n"
                "            context[..., start : start + part.shape[-1]] = part\n"
                "            start += part.shape[-1]\n"
                "        return context",
            ),
        ),
        says=(
            "The result is put together in a new tensor of float32, so other number types are lost. Make it "
            "with the dtype of x, or concatenate."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((RESULT, "return torch.zeros_like(torch.cat(contexts, dim=-1))"),)),
    Trivial("a_constant", ((RESULT, "return torch.ones_like(torch.cat(contexts, dim=-1))"),)),
    Trivial("the_input_itself", ((RESULT, "return x"),)),
    Trivial("nothing", ((RESULT, "return None"),)),
    Trivial(
        "the_values",
        ((RESULT, "return torch.cat([head.W_value(x) for head in self.heads], dim=-1)"),),
    ),
    Trivial(
        "one_linear_layer",
        (
            (KEPT, KEPT + "\n        self.layer = nn.Linear(d_in, d_out * num_heads)"),
            (RESULT, "return self.layer(x)"),
        ),
    ),
)
