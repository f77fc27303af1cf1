"""The ways in which a stack of heads gets lost on its way into split weights, as edits of the reference."""

from softmarks.course.rooms import Misconception, Trivial

NO_GRAD = "with torch.no_grad():"
LOOP = ":\n            layers = "  # tells the loop of the solution from that of the example
NAMES = 'for name in ("W_query", "W_key", "W_value")' + LOOP
LAYERS = "layers = [getattr(head, name) for head in wrapper.heads]"
SPLIT = "split = getattr(attention, name)"
STACKED = "stacked = torch.cat([layer.weight for layer in layers])"
COPY = "split.weight.copy_(stacked)"
IF_BIAS = "if split.bias is not None:"
BIASES = "biases = torch.cat([layer.bias for layer in layers])"
COPY_BIAS = "split.bias.copy_(biases)"
IDENTITY = "nn.init.eye_(attention.out_proj.weight)"
ZERO_BIAS = "nn.init.zeros_(attention.out_proj.bias)"

MISCONCEPTIONS = [
    # the weights of the heads
    Misconception(
        id="joined_along_inputs",
        edits=((STACKED, "stacked = torch.cat([layer.weight for layer in layers], dim=1)"),),
        says=(
            "The weights are joined along their inputs. nn.Linear stores one row for each output, and it "
            "is outputs that the heads put side by side: the rows go under each other."
        ),
        hint="formula",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="transposed",
        edits=(
            (STACKED, "stacked = torch.cat([layer.weight.T for layer in layers], dim=1)"),
            (COPY, "split.weight = nn.Parameter(stacked)"),
        ),
        says=(
            "The weights are turned on the way. All of these layers are nn.Linear and store their weights "
            "in the same way: there is nothing to transpose."
        ),
        hint="formula",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="rows_interleaved",
        edits=((STACKED, "stacked = torch.stack([layer.weight for layer in layers], dim=1).flatten(0, 1)"),),
        says=(
            "The rows of the heads alternate. The module takes its first head_dim rows for head 0, so all "
            "rows of head 0 come first."
        ),
        hint="formula",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        id="heads_reversed",
        edits=((LAYERS, "layers = [getattr(head, name) for head in reversed(wrapper.heads)]"),),
        says="The heads arrive in reverse order: the first rows are to be those of head 0.",
        hint="formula",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        id="first_head_for_all",
        edits=((LAYERS, "layers = [getattr(wrapper.heads[0], name)] * len(wrapper.heads)"),),
        says=(
            "Every head of the module gets the weights of head 0. Each is to get those of the head with its "
            "own number."
        ),
        hint="nudge",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        id="heads_averaged",
        edits=(
            (
                STACKED,
                "mean = torch.stack([layer.weight for layer in layers]).mean(dim=0)\n"
                "            stacked = mean.repeat(len(layers), 1)",
            ),
        ),
        says=(
            "The weights of the heads are averaged. Heads differ, and each keeps rows of its own in the "
            "module."
        ),
        hint="nudge",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        id="only_the_last_head_arrives",
        edits=((COPY, "split.weight[-len(layers[-1].weight) :] = layers[-1].weight"),),
        says="Only the last head arrived; the rows of the other heads are still the old ones.",
        hint="line",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        id="broadcast_over_the_heads",
        edits=(
            (
                COPY,
                "for layer in layers:\n"
                "                split.weight.unflatten(0, (len(layers), -1)).copy_(layer.weight)",
            ),
        ),
        says="Each head is written over the whole weight, so the last one is left in every place.",
        hint="line",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        id="query_and_key_swapped",
        edits=((SPLIT, SPLIT.replace("name", "dict(W_query='W_key', W_key='W_query').get(name, name)")),),
        says="The query weights went into W_key and the key weights into W_query.",
        hint="line",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        id="one_layer_for_all_three",
        edits=((LAYERS, "layers = [head.W_query for head in wrapper.heads]"),),
        says=(
            "All three layers of the module got the query weights. Each is to get the weights of the layers "
            "with its own name."
        ),
        hint="line",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        id="values_forgotten",
        edits=((NAMES, 'for name in ("W_query", "W_key")' + LOOP),),
        says="The value weights never arrive; W_value of the module still has its old ones.",
        hint="line",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="paired_by_order",
        edits=(
            (
                NAMES,
                'for name, split in zip(("W_query", "W_key", "W_value"), attention.children())' + LOOP,
            ),
            (SPLIT, "pass"),
        ),
        says=(
            "The layers are paired in the order in which the module made them. The names decide, and a "
            "module may make its layers in another order."
        ),
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="biases_forgotten",
        edits=((COPY_BIAS, "pass"),),
        says=(
            "The weights arrive and the biases do not: where the layers have biases, those of the module "
            "are still the old ones."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="biases_always_expected",
        edits=((IF_BIAS, "if True:"),),
        says=(
            "The biases are copied without a look whether there are any: a layer without bias has None there."
        ),
        hint="line",
        keeps=(0.0, 0.15),
    ),
    # out_proj
    Misconception(
        id="out_proj_left_as_it_is",
        edits=((IDENTITY, "pass"), (ZERO_BIAS, "pass")),
        says=(
            "out_proj still mixes the heads with its old weights. Both forms compute the same function "
            "only if out_proj hands on what it gets."
        ),
        hint="nudge",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        id="bias_of_out_proj_left",
        edits=((ZERO_BIAS, "pass"),),
        says="out_proj has the identity, but still its old bias, which is added to every output.",
        hint="nudge",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        id="out_proj_of_ones",
        edits=((IDENTITY, "nn.init.ones_(attention.out_proj.weight)"),),
        says=(
            "The weight of out_proj is 1 everywhere, so every output is the sum of all features. The "
            "identity has ones on the diagonal alone."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        id="out_proj_of_zeros",
        edits=((IDENTITY, "nn.init.zeros_(attention.out_proj.weight)"),),
        says="The weight of out_proj is zero, so every output is. It is the bias that must be zero.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        id="out_proj_replaced",
        edits=((IDENTITY, "attention.out_proj = nn.Identity()"), (ZERO_BIAS, "pass")),
        says=(
            "out_proj was replaced by a module that has nothing to train. It is to stay an nn.Linear, "
            "with the identity for its weight."
        ),
        hint="line",
        keeps=(0.6, 0.8),
    ),
    Misconception(
        id="out_proj_frozen",
        edits=((ZERO_BIAS, ZERO_BIAS + "\n        attention.out_proj.requires_grad_(False)"),),
        says="out_proj can no longer be trained. It begins as the identity and may become something else.",
        hint="line",
        keeps=(0.75, 0.95),
    ),
    # how it is written
    Misconception(
        id="wrong_direction",
        edits=(
            (
                COPY,
                "for layer, rows in zip(layers, split.weight.chunk(len(layers))):\n"
                "                layer.weight.copy_(rows)",
            ),
        ),
        says=(
            "The weights went from the module into the heads: the wrapper lost its own, the module kept "
            "its old ones."
        ),
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        id="nothing_arrives",
        edits=((COPY, "split = stacked"), (IF_BIAS, "if False:")),
        says=(
            "Nothing arrives in the projections: giving a new value to a local name, or filling a copy, "
            "leaves the module as it was."
        ),
        hint="nudge",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        id="a_filled_copy_is_returned",
        edits=(
            (NO_GRAD, "import copy\n\n    attention = copy.deepcopy(attention)\n    " + NO_GRAD),
            (ZERO_BIAS, ZERO_BIAS + "\n    return attention"),
        ),
        says="A copy with the right weights is returned, but the module that was handed in is unchanged.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="tensor_assigned_to_a_parameter",
        edits=((COPY, "split.weight = stacked"),),
        says=(
            "PyTorch refuses a plain tensor where a module has a Parameter; the result of torch.cat is a "
            "plain tensor."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="written_while_autograd_records",
        edits=((NO_GRAD, "with torch.enable_grad():"),),
        says=(
            "PyTorch refuses to write into a Parameter while it records for autograd; a copy of weights "
            "is no step of the computation."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="plain_tensors",
        edits=((COPY, "del split.weight\n            split.weight = stacked"),),
        says=(
            "The layers hold plain tensors now instead of Parameters: an optimizer finds nothing to train."
        ),
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="projections_frozen",
        edits=((COPY, "split.weight = nn.Parameter(stacked, requires_grad=False)"),),
        says="The numbers are right, but the projections can no longer be trained.",
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="rounded_to_float32",
        edits=((COPY, "split.weight = nn.Parameter(torch.tensor(stacked.tolist()))"),),
        says="The numbers become float32 on their way, so modules in float64 lose digits and their dtype.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="wrapper_frozen",
        edits=((NO_GRAD, "wrapper.requires_grad_(False)\n    " + NO_GRAD),),
        says="The module is right, but the heads of the wrapper can no longer be trained.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="wrapper_emptied",
        edits=(
            (
                COPY,
                "split.weight.copy_(stacked)\n"
                "            for layer in layers:\n"
                "                layer.weight.zero_()",
            ),
        ),
        says=(
            "The module is right, but the weights were moved out of the wrapper instead of copied: its heads "
            "hold zeros now."
        ),
        hint="line",
        keeps=(0.8, 0.97),
    ),
]

TRIVIAL = [
    Trivial(id="nothing", edits=((NO_GRAD, "return\n    " + NO_GRAD),)),
    Trivial(
        id="zeros", edits=((COPY, "split.weight.zero_()"), (IDENTITY, "attention.out_proj.weight.zero_()"))
    ),
    Trivial(id="identities", edits=((COPY, "nn.init.eye_(split.weight)"),)),
    Trivial(
        id="borrows_the_forward_of_the_wrapper",
        edits=((NO_GRAD, "attention.forward = wrapper.forward\n    return\n    " + NO_GRAD),),
    ),
]
