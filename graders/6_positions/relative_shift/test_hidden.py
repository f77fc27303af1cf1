"""The shift matrix: it moves every encoding on, pair by pair, and is a rotation."""

import pytest
import torch

from graders import oracle
from softmarks.testing import StudentRaised, assert_close, assert_shape, check

DIMS = ("row", "column")


def matrix_of(student, offset, d_model):
    """shift_matrix(offset, d_model) in float64, after a look at its shape and number type."""
    matrix = student.shift_matrix(offset, d_model)
    what = f"shift_matrix({offset}, {d_model})"
    assert_shape(matrix, (d_model, d_model), what=what)
    kind = str(matrix.dtype).removeprefix("torch.")
    says = f"{what} is of {kind}; float32 and float64 are fine"
    check(kind in ("float32", "float64"), says, "wrong-dtype", facts=(kind,))
    return matrix.double()


def assert_moves(student, offset, d_model, tolerance=1e-4):
    """The matrix takes each of 12 encodings to the one ``offset`` later (earlier, if negative)."""
    start = max(0, -offset)
    table = oracle.sinusoidal_table(12 + abs(offset), d_model)
    here, there = table[start : start + 12], table[start + offset : start + offset + 12]
    moved = (matrix_of(student, offset, d_model) @ here.T).T
    what = f"shift_matrix({offset}, {d_model}) applied to encodings"
    dims = ("encoding", "feature")
    assert_close(moved, there, rtol=tolerance, atol=tolerance, dims=dims, what=what)


@pytest.mark.shape
@pytest.mark.enforces(
    "M depends on the offset and d_model alone.", "tensor (d_model, d_model), float32 or float64"
)
def test_a_square_matrix_for_each_offset(student):
    """The matrix is (d_model, d_model), of float32 or float64, and another one for another offset."""
    first, second = matrix_of(student, 3, 10), matrix_of(student, 5, 10)
    check(not torch.allclose(first, second, atol=1e-4), "all offsets give the same matrix", facts=("same",))


@pytest.mark.values
@pytest.mark.enforces("how its new sine and its new cosine depend on the old ones")
@pytest.mark.parametrize("offset", [1, 3])
def test_the_first_pair_turns_by_one_radian_a_token(student, offset):
    """With d_model = 2 there is one pair, whose angle grows by 1 a token."""
    actual = matrix_of(student, offset, 2)
    what = f"shift_matrix({offset}, 2)"
    assert_close(actual, oracle.shift_matrix(offset, 2), dims=DIMS, what=what)


@pytest.mark.values
@pytest.mark.enforces("The matrix M with PE(p + offset) = M PE(p) for every position p.")
@pytest.mark.parametrize(("offset", "d_model"), [(1, 10), (7, 6), (4, 12)])
def test_encodings_move_on(student, offset, d_model):
    """M PE(p) is PE(p + offset), for every position alike."""
    assert_moves(student, offset, d_model)


@pytest.mark.values
@pytest.mark.enforces("offset an int, also 0 or negative (a step back)")
@pytest.mark.parametrize(("offset", "d_model"), [(-3, 10), (-1, 4)])
def test_encodings_move_back(student, offset, d_model):
    """A negative offset takes an encoding to an earlier one."""
    assert_moves(student, offset, d_model)


@pytest.mark.values
@pytest.mark.needs("test_encodings_move_on")
@pytest.mark.enforces("for every position p")
def test_far_steps(student):
    """An offset of 100 tokens and a width of 64 are no different."""
    assert_moves(student, 100, 64, tolerance=5e-5)  # a base of 10001 is off by 4e-4


@pytest.mark.values
@pytest.mark.enforces("no pair touches another one: 0 outside of the blocks")
def test_no_pair_touches_another(student):
    """All entries outside of the blocks of two rows and two columns are 0, and each block holds something."""
    matrix = matrix_of(student, 3, 10)
    inside = torch.tensor([[row // 2 == column // 2 for column in range(10)] for row in range(10)])
    outside = torch.where(inside, 0.0, matrix)
    assert_close(outside, torch.zeros(10, 10), dims=DIMS, what="the matrix outside of its blocks")
    blocks = [matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2].abs().sum().item() for i in range(5)]
    empty = [i for i, total in enumerate(blocks) if total < 1e-3]
    check(not empty, f"the block of pair {', '.join(map(str, empty))} is empty", facts=tuple(empty))


@pytest.mark.values
@pytest.mark.enforces(
    "M keeps lengths (its transpose is its inverse)",
    "M of offset 0 changes nothing, and M of 3 times M of 4 is M of 7",
)
def test_steps_are_rotations_and_add_up(student):
    """A matrix times its transpose is the identity; no step changes nothing; three and four are seven."""
    three, four, seven = (matrix_of(student, offset, 10) for offset in (3, 4, 7))
    eye = torch.eye(10, dtype=torch.float64)
    assert_close(three @ three.T, eye, dims=DIMS, what="the matrix times its transpose")
    assert_close(matrix_of(student, 0, 10), eye, dims=DIMS, what="the matrix of offset 0")
    assert_close(three @ four, seven, dims=DIMS, what="the matrix of 3 times that of 4")


@pytest.mark.errors
@pytest.mark.needs("test_the_first_pair_turns_by_one_radian_a_token")
@pytest.mark.enforces("an odd d_model raises ValueError")
@pytest.mark.parametrize("d_model", [9, 5])
def test_odd_widths_are_refused(student, d_model):
    """An odd d_model raises a ValueError, not whatever goes wrong on the way."""
    try:
        student.shift_matrix(3, d_model)
    except StudentRaised as error:
        if error.unwritten:
            raise
        says = f"d_model={d_model} should raise a ValueError; your code raised {error.type}"
        check("ValueError" in error.bases, says, facts=(error.type,))
    else:
        check(False, f"d_model={d_model} should raise an error; your code accepted it", facts=("accepted",))
