"""The ways in which Exercise 3.1 goes wrong, as edits of its reference solution."""

from softmarks.course.rooms import Misconception, Trivial

QUERY = "v1.W_query.copy_(v2.W_query.weight.T)"
KEY = "v1.W_key.copy_(v2.W_key.weight.T)"
VALUE = "v1.W_value.copy_(v2.W_value.weight.T)"
NO_GRAD = "with torch.no_grad():"


def all_three(pattern):
    """One edit a matrix: ``pattern`` with NAME replaced."""
    return tuple(
        (old, pattern.replace("NAME", name))
        for old, name in ((QUERY, "W_query"), (KEY, "W_key"), (VALUE, "W_value"))
    )


MISCONCEPTIONS = [
    Misconception(
        id="not_transposed",
        edits=all_three("v1.NAME = torch.nn.Parameter(v2.NAME.weight.clone())"),
        says="The matrices were taken over as nn.Linear stores them, one row for each output; v1 needs one "
        "row for each input. With d_in == d_out the shape fits and the numbers are silently wrong.",
        hint="formula",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="copied_without_transposing",
        edits=all_three("v1.NAME.copy_(v2.NAME.weight)"),
        says="The copy does not fit: nn.Linear stores (d_out, d_in), v1 stores (d_in, d_out). "
        "With d_in == d_out no error would tell you.",
        hint="formula",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="reshaped",
        edits=all_three("v1.NAME.copy_(v2.NAME.weight.reshape(v1.NAME.shape))"),
        says="A reshape gives the right shape, but it reads the numbers row after row, so they land in "
        "other places; rows must become columns.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="only_value_transposed",
        edits=(
            (QUERY, "v1.W_query = torch.nn.Parameter(v2.W_query.weight.clone())"),
            (KEY, "v1.W_key = torch.nn.Parameter(v2.W_key.weight.clone())"),
        ),
        says="The value matrix is turned, the query and key matrices are not; with square matrices only "
        "the numbers show it.",
        hint="formula",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="value_not_transposed",
        edits=((VALUE, "v1.W_value = torch.nn.Parameter(v2.W_value.weight.clone())"),),
        says="The query and key matrices are turned, the value matrix is not.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="query_and_key_swapped",
        edits=(
            (QUERY, "v1.W_query.copy_(v2.W_key.weight.T)"),
            (KEY, "v1.W_key.copy_(v2.W_query.weight.T)"),
        ),
        says="The query matrix of v2 went into the key matrix of v1 and the other way round, so every score "
        "is that of the mirrored pair of tokens.",
        hint="line",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="query_and_value_swapped",
        edits=(
            (QUERY, "v1.W_query.copy_(v2.W_value.weight.T)"),
            (VALUE, "v1.W_value.copy_(v2.W_query.weight.T)"),
        ),
        says="The query and value matrices changed places: v1 asks with what it should hand out.",
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        id="key_and_value_swapped",
        edits=(
            (KEY, "v1.W_key.copy_(v2.W_value.weight.T)"),
            (VALUE, "v1.W_value.copy_(v2.W_key.weight.T)"),
        ),
        says="The key and value matrices changed places: v1 compares with what it should hand out.",
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        id="value_forgotten",
        edits=((VALUE, "pass"),),
        says="The value matrix was never written; v1 still has its old one.",
        hint="line",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="stops_after_the_query",
        edits=((QUERY, QUERY + "\n        return"),),
        says="Only the query matrix arrived; the key and value matrices of v1 are still the old ones.",
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        id="key_gets_the_query_matrix",
        edits=((KEY, "v1.W_key.copy_(v2.W_query.weight.T)"),),
        says="The query matrix of v2 was copied twice, and its key matrix never.",
        hint="line",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        id="query_overwritten_by_the_key",
        edits=((KEY, "v1.W_query.copy_(v2.W_key.weight.T)"),),
        says="v1.W_query was written twice, the second time with the key matrix, and v1.W_key never.",
        hint="line",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="one_matrix_for_all",
        edits=(
            (KEY, "v1.W_key.copy_(v2.W_query.weight.T)"),
            (VALUE, "v1.W_value.copy_(v2.W_query.weight.T)"),
        ),
        says="All three matrices of v1 got the query matrix of v2. Each is to get the one of its own name.",
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        id="paired_by_order",
        edits=(
            (QUERY, "for p, q in zip(v1.parameters(), v2.parameters()):\n            p.copy_(q.T)"),
            (KEY, "pass"),
            (VALUE, "pass"),
        ),
        says="The matrices are paired in the order in which the modules made them; the names decide, "
        "and v1 may have made them in another order.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        id="wrong_direction",
        edits=all_three("v2.NAME.weight.copy_(v1.NAME.T)"),
        says="The weights went from v1 to v2: v2 lost its own, and v1 is unchanged.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="nothing_arrives",
        edits=all_three("NAME = v2.NAME.weight.T.clone()"),
        says="Nothing arrived in v1: giving a local name a new value, working on a copy of v1, or loading "
        "a state whose keys do not match (strict=False hides that) leaves v1 as it was.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="returns_a_filled_copy",
        edits=(
            (NO_GRAD, "import copy\n    v1 = copy.deepcopy(v1)\n    " + NO_GRAD),
            (VALUE, VALUE + "\n    return v1"),
        ),
        says="A module with the right weights is returned, but the v1 that was handed in is unchanged; "
        "the transfer happens in place.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="tensor_assigned_to_a_parameter",
        edits=all_three("v1.NAME = v2.NAME.weight.T"),
        says="PyTorch refuses to put a plain tensor where a module has a Parameter; the result of a "
        "transpose is a plain tensor, even when its source is a Parameter.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="module_assigned_to_a_parameter",
        edits=all_three("v1.NAME = v2.NAME"),
        says="The whole nn.Linear layer was assigned where v1 has a Parameter; take the matrix that "
        "the layer holds.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="written_while_autograd_records",
        edits=((NO_GRAD, "with torch.enable_grad():"),),
        says="PyTorch refuses to write into a Parameter while it records for autograd; copying weights is "
        "no step that it should record.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="state_of_v2_loaded_as_it_is",
        edits=(
            (QUERY, "v1.load_state_dict(v2.state_dict())"),
            (KEY, "pass"),
            (VALUE, "pass"),
        ),
        says="The state of v2 does not fit v1: its keys end in .weight, and its matrices are laid out "
        "the other way.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="plain_tensors",
        edits=all_three("del v1.NAME\n        v1.NAME = v2.NAME.weight.detach().T.clone()"),
        says="v1 holds plain tensors now instead of Parameters: an optimiser finds nothing to train, and "
        "they are missing from its state.",
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="still_in_the_graph_of_v2",
        edits=(
            *all_three("del v1.NAME\n        v1.NAME = v2.NAME.weight.T"),
            (NO_GRAD, "with torch.enable_grad():"),
        ),
        says="v1 now computes with transposes of v2's weights instead of Parameters of its own: it has "
        "nothing to train, and its gradients flow into v2.",
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="frozen",
        edits=((NO_GRAD, "v1.requires_grad_(False)\n    " + NO_GRAD),),
        says="The numbers are right, but v1 can no longer be trained: its Parameters ask for no gradients.",
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="rounded_to_float32",
        edits=all_three("v1.NAME = torch.nn.Parameter(torch.tensor(v2.NAME.weight.T.tolist()))"),
        says="The numbers come out in float32, so modules in float64 lose digits and dtype.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        id="v2_transposed_as_well",
        edits=all_three("v2.NAME.weight.data = v2.NAME.weight.data.T\n        v1.NAME.copy_(v2.NAME.weight)"),
        says="v1 is right, but the matrices of v2 were turned on the way, so v2 no longer works.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        id="v2_frozen",
        edits=((NO_GRAD, "v2.requires_grad_(False)\n    " + NO_GRAD),),
        says="v1 is right, but the Parameters of v2 no longer ask for gradients, so v2 cannot be trained.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
]

TRIVIAL = [
    Trivial(id="nothing", edits=((NO_GRAD, "return\n    " + NO_GRAD),)),
    Trivial(id="zeros", edits=all_three("v1.NAME.zero_()")),
    Trivial(id="ones", edits=all_three("v1.NAME.fill_(1.0)")),
    Trivial(id="identity_matrices", edits=all_three("torch.nn.init.eye_(v1.NAME)")),
    Trivial(
        id="borrows_the_forward_of_v2",
        edits=((NO_GRAD, "v1.forward = v2.forward\n    return\n    " + NO_GRAD),),
    ),
]
