"""Small shift matrices, with numbers that a pocket calculator gives."""

import pytest
import torch

from softmarks.testing import StudentRaised, assert_close, assert_shape, check

ENCODINGS = torch.tensor(  # positions 0 to 3, d_model = 4
    [
        [0.0, 1.0, 0.0, 1.0],
        [0.8414710, 0.5403023, 0.0099998, 0.9999500],
        [0.9092974, -0.4161468, 0.0199987, 0.9998000],
        [0.1411200, -0.9899925, 0.0299955, 0.9995500],
    ]
).double()


def moved(student, offset):
    """What the matrix makes of the four encodings: (position, feature)."""
    matrix = student.shift_matrix(offset, 4)
    assert_shape(matrix, (4, 4), what="the matrix")
    return (matrix.double() @ ENCODINGS.T).T


@pytest.mark.shape
@pytest.mark.parametrize("d_model", [4, 6])
def test_a_square_matrix(student, d_model):
    """The matrix has d_model rows and d_model columns."""
    assert_shape(student.shift_matrix(1, d_model), (d_model, d_model), what="the matrix")


@pytest.mark.values
@pytest.mark.parametrize("offset", [1, 2])
def test_encodings_move_on(student, offset):
    """The matrix of offset 1 takes the encoding of each position to that of the next one, and so on."""
    dims = ("position", "feature")
    assert_close(moved(student, offset)[:-offset], ENCODINGS[offset:], dims=dims, what="M PE(p)")


@pytest.mark.values
def test_encodings_move_back(student):
    """The matrix of offset -1 takes the encoding of each position to that of the one before it."""
    assert_close(moved(student, -1)[1:], ENCODINGS[:-1], dims=("position", "feature"), what="M PE(p)")


@pytest.mark.errors
@pytest.mark.needs("test_a_square_matrix")
def test_an_odd_width_is_refused(student):
    """There is no such matrix for d_model = 5, and a ValueError says so."""
    try:
        student.shift_matrix(1, 5)
    except StudentRaised as error:
        if error.unwritten:
            raise
        says = f"d_model=5 should raise a ValueError; your code raised {error.type}"
        check("ValueError" in error.bases, says, facts=(error.type,))
    else:
        check(False, "d_model=5 should raise an error; your code accepted it", facts=("accepted",))
