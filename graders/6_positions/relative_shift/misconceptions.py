"""The ways in which a rotation of pairs goes wrong, as edits of the reference solution."""

from softmarks.course.rooms import Misconception, Trivial

REFUSAL = "if d_model % 2 != 0:"
SINES = "sines = torch.arange(0, d_model, 2)"
COSINES = "cosines = sines + 1"
FREQUENCY = "frequency = 10000.0 ** (-sines / d_model)"
ANGLE = "angle = offset * frequency"
ZEROS = "matrix = torch.zeros(d_model, d_model)"
SINE_OF_SINE = "matrix[sines, sines] = torch.cos(angle)"
SINE_OF_COSINE = "matrix[sines, cosines] = torch.sin(angle)"
COSINE_OF_SINE = "matrix[cosines, sines] = -torch.sin(angle)"
COSINE_OF_COSINE = "matrix[cosines, cosines] = torch.cos(angle)"
RETURN = "return matrix"

MISCONCEPTIONS = [
    Misconception(
        id="transposed",
        edits=(
            (SINE_OF_COSINE, "matrix[sines, cosines] = -torch.sin(angle)"),
            (COSINE_OF_SINE, "matrix[cosines, sines] = torch.sin(angle)"),
        ),
        says="The matrix is the transpose of the right one, so it moves back instead of on. It may be the "
        "textbook rotation of (x, y): here the sine comes first. Or it is meant for rows, PE(p) M.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="minus_missing",
        edits=((COSINE_OF_SINE, "matrix[cosines, sines] = torch.sin(angle)"),),
        says="Both sines in a block have the same sign; cos(a + b) has a minus.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        id="sines_and_cosines_swapped",
        edits=(
            (SINE_OF_SINE, "matrix[sines, sines] = torch.sin(angle)"),
            (SINE_OF_COSINE, "matrix[sines, cosines] = torch.cos(angle)"),
            (COSINE_OF_SINE, "matrix[cosines, sines] = -torch.cos(angle)"),
            (COSINE_OF_COSINE, "matrix[cosines, cosines] = torch.sin(angle)"),
        ),
        says="In each block sines and cosines have changed places. A step of 0 tokens must give the "
        "identity, with cos 0 = 1 on the diagonal.",
        hint="formula",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        id="diagonal_forgotten",
        edits=((COSINE_OF_COSINE, "pass"),),
        says="The new cosine depends on the old cosine too; that entry of each block is 0.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        id="halves_instead_of_pairs",
        edits=(
            (SINES, "sines = torch.arange(d_model // 2)"),
            (COSINES, "cosines = sines + d_model // 2"),
            (FREQUENCY, "frequency = 10000.0 ** (-2 * sines / d_model)"),
        ),
        says="All sines come first and all cosines after them; the encoding takes turns, so a pair is two "
        "dimensions side by side.",
        hint="line",
        keeps=(0.4, 0.6),
    ),
    Misconception(
        id="exponent_halved",
        edits=((FREQUENCY, "frequency = 10000.0 ** (-torch.arange(d_model // 2) / d_model)"),),
        says="The exponent is i / d_model instead of 2i / d_model: the pairs slow down only half as fast.",
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="exponent_doubled",
        edits=((FREQUENCY, "frequency = 10000.0 ** (-2 * sines / d_model)"),),
        says="The 2 of 2i / d_model is there twice: a range in steps of two already counts 2i.",
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="frequency_upside_down",
        edits=((FREQUENCY, "frequency = 10000.0 ** (sines / d_model)"),),
        says="The angles are multiplied by 10000^(2i/d_model) instead of divided by it.",
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="base_1000",
        edits=((FREQUENCY, "frequency = 1000.0 ** (-sines / d_model)"),),
        says="The base is 1000 instead of 10000.",
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="low_dimensions_slow",
        edits=((FREQUENCY, "frequency = (10000.0 ** (-sines / d_model)).flip(0)"),),
        says=(
            "The frequencies are in reverse order: the low dimensions should turn fast, the high ones slowly."
        ),
        hint="nudge",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="one_angle_for_all_pairs",
        edits=((ANGLE, "angle = offset * torch.ones_like(frequency)"),),
        says="Every pair turns by the same angle; each has a frequency of its own.",
        hint="nudge",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="wavelength_for_frequency",
        edits=((ANGLE, "angle = 2 * torch.pi * offset * frequency"),),
        says="The angles have an extra factor of 2 pi: frequencies are radians a token already.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="angles_in_degrees",
        edits=((ANGLE, "angle = torch.deg2rad(offset * frequency)"),),
        says="The angles were taken for degrees and converted; they are radians already.",
        hint="formula",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="first_pair_only",
        edits=((SINES, "sines = torch.arange(0, 2, 2)"), (ZEROS, "matrix = torch.eye(d_model)")),
        says="Only the first pair turns; the others stay where they are.",
        hint="nudge",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        id="other_pairs_empty",
        edits=((SINES, "sines = torch.arange(0, 2, 2)"),),
        says="Only the first pair has a block; the rest of the matrix is empty.",
        hint="nudge",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        id="sign_of_the_offset_lost",
        edits=((ANGLE, "angle = abs(offset) * frequency"),),
        says="A negative offset is treated like a positive one; a step back turns the other way.",
        hint="nudge",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="negative_offset_refused",
        edits=((REFUSAL, "if d_model % 2 != 0 or offset < 0:"),),
        says="A negative offset is refused; it is a step back, which is a rotation like any other.",
        hint="nudge",
        keeps=(0.8, 0.97),
    ),
    Misconception(
        id="wraps_at_the_width",
        edits=((ANGLE, "angle = (offset % d_model) * frequency"),),
        says="The offset is taken modulo d_model; offsets count tokens and have nothing to do with the "
        "width.",
        hint="nudge",
        keeps=(0.2, 0.45),
    ),
    Misconception(
        id="odd_width_accepted",
        edits=((REFUSAL, "if False:"), (SINES, "sines = torch.arange(0, d_model - 1, 2)")),
        says="An odd d_model is accepted, and its last sine is lost; there is no matrix that could move it "
        "on.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        id="odd_width_not_looked_at",
        edits=((REFUSAL, "if False:"),),
        says="An odd d_model is refused by accident: a line further down fails, with an error that does not "
        "say what is wrong. Look at d_model first, and raise a ValueError.",
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        id="entries_shifted",
        edits=((RETURN, "return torch.roll(torch.eye(d_model), offset, dims=0)"),),
        says="The matrix moves the entries of a vector to other dimensions. What moves is the position; the "
        "dimensions stay, and each pair turns.",
        hint="nudge",
        keeps=(0.15, 0.4),
    ),
    Misconception(
        id="step_times_offset",
        edits=((ANGLE, "angle = frequency"), (RETURN, "return offset * matrix")),
        says="The matrix of one step is multiplied by the offset. Steps are repeated by multiplying "
        "matrices, or by multiplying the angle.",
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        id="only_angles",
        edits=((RETURN, "return angle"),),
        says="The angles of the pairs are returned, not the matrix made of them.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="table_of_encodings",
        edits=(
            (ANGLE, "angle = (torch.arange(d_model)[:, None] + offset) * frequency"),
            (SINE_OF_SINE, "matrix[:, 0::2] = torch.sin(angle)"),
            (SINE_OF_COSINE, "matrix[:, 1::2] = torch.cos(angle)"),
            (COSINE_OF_SINE, "pass"),
            (COSINE_OF_COSINE, "pass"),
        ),
        says=(
            "The rows are encodings of positions from offset on. The exercise asks for the matrix that takes "
            "any encoding to the one offset later."
        ),
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="right_for_position_0_alone",
        edits=(
            (
                RETURN,
                "start, goal = torch.zeros(d_model), torch.zeros(d_model)\n"
                "    start[cosines] = 1.0\n"
                "    goal[sines], goal[cosines] = torch.sin(angle), torch.cos(angle)\n"
                "    return torch.outer(goal, start) / (d_model / 2)",
            ),
        ),
        says="The matrix moves PE(0) on and no other encoding: an outer product of two "
        "encodings depends on the position. It must be the same for all.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="integers",
        edits=((ZEROS, "matrix = torch.zeros(d_model, d_model, dtype=torch.long)"),),
        says="The matrix is made of integers, which cannot hold sines and cosines.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
]

TRIVIAL = [
    Trivial(id="zeros", edits=((RETURN, "return torch.zeros(d_model, d_model)"),)),
    Trivial(id="identity", edits=((RETURN, "return torch.eye(d_model)"),)),
    Trivial(id="ones", edits=((RETURN, "return torch.ones(d_model, d_model)"),)),
    Trivial(id="none", edits=((RETURN, "return"),)),
    Trivial(id="the_offset", edits=((RETURN, "return offset"),)),
]
