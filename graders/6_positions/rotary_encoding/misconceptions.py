"""The ways in which rotary encodings go wrong, as edits of the reference solution."""

from softmarks.course.rooms import Misconception, Trivial

# The lines of the reference that are edited.
ODD = "if head_dim % 2 == 1:"
EXPONENT = "exponent = torch.arange(0, head_dim, 2, device=x.device) / head_dim"
FREQUENCY = "frequency = 10000.0**-exponent"
ANGLE = "angle = positions.unsqueeze(-1) * frequency"
COS_SIN = "cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)"
SPLIT = "first, second = x[..., 0::2], x[..., 1::2]"
NEW_FIRST = "new_first = first * cos - second * sin"
NEW_SECOND = "new_second = first * sin + second * cos"
RETURN = "return torch.stack((new_first, new_second), dim=-1).flatten(-2)"

HALVES = "return torch.cat((new_first, new_second), dim=-1)"

MISCONCEPTIONS = [
    # --- which dimensions are a pair
    Misconception(
        id="half_split",
        edits=((SPLIT, "first, second = x.chunk(2, dim=-1)"), (RETURN, HALVES)),
        says="Your pairs are dimension i and i + head_dim/2, the half-split convention of some libraries. "
        "It is a sound encoding, but another one: the pairs of this exercise are the neighbours 2i "
        "and 2i + 1.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="halves_put_together",
        edits=((RETURN, HALVES),),
        says="The pairs are split right and rotated right, but put together as two halves: all first "
        "dimensions, then all second ones. They have to take turns again.",
        hint="line",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="halves_taken_apart",
        edits=((SPLIT, "first, second = x.chunk(2, dim=-1)"),),
        says=(
            "x is cut into two halves but put together by turns, so the result lies in other dimensions than "
            "x. Cut it by turns too."
        ),
        hint="line",
        keeps=(0.3, 0.55),
    ),
    # --- the rotation
    Misconception(
        id="turned_backwards",
        edits=(
            (NEW_FIRST, "new_first = first * cos + second * sin"),
            (NEW_SECOND, "new_second = second * cos - first * sin"),
        ),
        says="Your pairs turn the other way round. Distances still count, but the minus sign belongs to the "
        "first dimension of a pair.",
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="minus_forgotten",
        edits=((NEW_FIRST, "new_first = first * cos + second * sin"),),
        says="Both new dimensions are sums; in a rotation one of them is a difference. Without the minus "
        "lengths change.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="sine_and_cosine_swapped",
        edits=((COS_SIN, "sin, cos = angle.cos().to(x.dtype), angle.sin().to(x.dtype)"),),
        says="Sine and cosine have changed places: at position 0 the cosine is 1, and nothing may turn.",
        hint="formula",
        keeps=(0.3, 0.55),
    ),
    Misconception(
        id="cosines_alone",
        edits=((NEW_FIRST, "new_first = first * cos"), (NEW_SECOND, "new_second = second * cos")),
        says="Each dimension is only multiplied by a cosine. A rotation mixes the two dimensions of a pair.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="multiplied_by_the_encoding",
        edits=((NEW_FIRST, "new_first = first * sin"), (NEW_SECOND, "new_second = second * cos")),
        says="x is multiplied by the sinusoidal table, sines for even and cosines for odd dimensions. A "
        "rotation mixes the two dimensions of a pair.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="added_like_sinusoids",
        edits=((NEW_FIRST, "new_first = first + sin"), (NEW_SECOND, "new_second = second + cos")),
        says="The sinusoidal encoding is added to x. A rotary encoding adds nothing: it rotates pairs.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="overwritten_on_the_way",
        edits=(
            (SPLIT, "out = x.clone()"),
            (NEW_FIRST, "out[..., 0::2] = out[..., 0::2] * cos - out[..., 1::2] * sin"),
            (NEW_SECOND, "out[..., 1::2] = out[..., 0::2] * sin + out[..., 1::2] * cos"),
            (RETURN, "return out"),
        ),
        says="The second dimension of a pair is made from the new first one. Both need the old numbers: "
        "keep them until both are done.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    # --- the angles
    Misconception(
        id="exponent_halved",
        edits=((EXPONENT, "exponent = torch.arange(head_dim // 2, device=x.device) / head_dim"),),
        says="The exponent is i / head_dim instead of 2i / head_dim: the pairs slow down only half as fast.",
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="exponent_doubled",
        edits=((EXPONENT, EXPONENT.replace("torch", "2 * torch")),),
        says="The 2 of 2i / head_dim is there twice: a range in steps of two already counts 2i.",
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="minus_missing_in_the_exponent",
        edits=((FREQUENCY, "frequency = 10000.0**exponent"),),
        says=(
            "The minus sign in the exponent is missing: angles are to shrink from pair to pair, and yours "
            "grow to hundreds of turns a token."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="base_1000",
        edits=((FREQUENCY, "frequency = 1000.0**-exponent"),),
        says="The base is 1000 instead of 10000: the slowest pairs are too fast.",
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="slow_pairs_first",
        edits=((FREQUENCY, "frequency = 10000.0**-exponent.flip(0)"),),
        says=(
            "The frequencies are in reverse order: the first pair should be the fast one, with 1 radian a "
            "token."
        ),
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="one_frequency_for_all",
        edits=((FREQUENCY, "frequency = torch.ones_like(exponent)"),),
        says="Every pair turns at the same speed; each pair needs its own frequency.",
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="angles_in_degrees",
        edits=((ANGLE, "angle = positions.unsqueeze(-1) * frequency * torch.pi / 180"),),
        says="The angles were taken for degrees and converted; they are radians already.",
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="turns_instead_of_radians",
        edits=((ANGLE, "angle = 2 * torch.pi * positions.unsqueeze(-1) * frequency"),),
        says="The angles got an extra factor of 2 pi, so the first pair makes a whole turn a token.",
        hint="formula",
        keeps=(0.45, 0.7),
    ),
    # --- positions
    Misconception(
        id="positions_from_1",
        edits=((ANGLE, "angle = (positions.unsqueeze(-1) + 1) * frequency"),),
        says="Every token is turned as if it stood one position later. Distances survive that; the angle at "
        "position 0 is still to be 0.",
        hint="nudge",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="positions_unused",
        edits=((ANGLE, "angle = torch.arange(x.shape[-2], device=x.device).unsqueeze(-1) * frequency"),),
        says="The argument positions is not used: tokens are numbered 0, 1, 2, … whatever it says.",
        hint="nudge",
        keeps=(0.45, 0.7),
    ),
    Misconception(
        id="counted_from_the_first_token",
        edits=((ANGLE, "angle = (positions - positions[0]).unsqueeze(-1) * frequency"),),
        says="Positions are counted from that of the first token. Queries and keys of two calls would no "
        "longer fit: use each position as it is.",
        hint="nudge",
        keeps=(0.7, 0.92),
    ),
    Misconception(
        id="table_looked_up",
        edits=(
            (ANGLE, "table = torch.arange(x.shape[-2], device=x.device).unsqueeze(-1) * frequency"),
            (COS_SIN, "angle = table[positions]\n    " + COS_SIN),
        ),
        says="Angles are looked up in a table with as many rows as there are tokens; a position may be "
        "larger than that.",
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        id="tokens_before_heads",
        edits=((COS_SIN, "angle = angle.unsqueeze(1)\n    " + COS_SIN),),
        says="The angles have a dimension for heads after that of the tokens, as for an x of (batch, tokens, "
        "heads, head_dim). Here the tokens are the last dimension but one.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="four_dimensions_expected",
        edits=((SPLIT, "batch, heads, tokens, _ = x.shape\n    " + SPLIT),),
        says="x is expected to have exactly four dimensions. It may have any leading dimensions, or none: "
        "count from the end.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    # --- what a call may not do, and must not forget
    Misconception(
        id="input_overwritten",
        edits=(
            (
                RETURN,
                "with torch.no_grad():\n"
                "        x[..., 0::2], x[..., 1::2] = new_first, new_second\n"
                "    return x",
            ),
        ),
        says="The rotated numbers are written into x, which the caller still owns; make a new tensor.",
        hint="line",
        keeps=(0.7, 0.95),
    ),
    Misconception(
        id="gradient_cut",
        edits=((SPLIT, "x = x.detach()\n    " + SPLIT),),
        says="x is cut off from the gradient, so the projections that made it would never learn.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="frequencies_on_the_cpu",
        edits=((", device=x.device", ""),),
        says="The frequencies are made on the CPU, whatever the device of x: on a GPU the product would "
        "fail.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="answers_in_float32",
        edits=((COS_SIN, "cos, sin = angle.cos(), angle.sin()"),),
        says="Sines and cosines stay in float32, so a result for bfloat16 is float32 too.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="angles_in_the_type_of_x",
        edits=((ANGLE, "angle = positions.unsqueeze(-1).to(x.dtype) * frequency.to(x.dtype)"),),
        says="The angles are worked out in the number type of x. In bfloat16 positions above 256 are "
        "rounded, and so are all angles: convert sines and cosines, not positions.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    # --- odd widths
    Misconception(
        id="odd_widths_not_looked_at",
        edits=((ODD, "if False:"),),
        says="Nothing refuses an odd head_dim. A width of 3 or 1 goes through in silence, because one "
        "leftover dimension fits any number of pairs by broadcasting.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="last_dimension_left_over",
        edits=(
            (
                ODD,
                "if head_dim % 2 == 1:\n        rest = apply_rotary(x[..., :-1], positions)\n"
                "        return torch.cat((rest, x[..., -1:]), dim=-1)\n    if False:",
            ),
        ),
        says="With an odd head_dim the last dimension is left as it is; the exercise asks for a ValueError.",
        hint="line",
        keeps=(0.8, 0.97),
    ),
]

TRIVIAL = [
    Trivial(id="the_input", edits=((RETURN, "return x"),)),
    Trivial(id="a_copy_of_the_input", edits=((RETURN, "return x.clone()"),)),
    Trivial(id="zeros", edits=((RETURN, "return torch.zeros_like(x)"),)),
    Trivial(id="minus_the_input", edits=((RETURN, "return -x"),)),
    Trivial(id="pairs_swapped", edits=((RETURN, "return torch.stack((second, first), dim=-1).flatten(-2)"),)),
    Trivial(id="none", edits=((RETURN, "return"),)),
]
