"""Pictures: what a program gives beside what is meant, whatever it gives."""

import io

import pytest
from rich.console import Console

from softmarks.cli.main import main
from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.course.scaffold import new_course
from softmarks.errors import GraderError, UsageError
from softmarks.grading.workers import Worker
from softmarks.pictures import Drawn, Lines
from softmarks.reporting.drawing import print_pictures
from softmarks.reporting.plots import save_pictures

SHOW = '''
"""Sums of some lists."""

from softmarks.pictures import Curves, Heatmap


def show(student):
    sums = [[student.sum_of_squares([row, column]) for column in (1, 2)] for row in (1, 2, 3)]
    return [
        Heatmap("Sums", sums, "first", "second", ("one", "two", "three"), ("1", "2")),
        Curves("Growth", {"sum": [student.sum_of_squares([n]) for n in range(1, 6)]}, x_axis="n"),
    ]
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A course whose exercise has a picture."""
    root = tmp_path_factory.mktemp("pictures") / "sums"
    new_course(root)
    (root / "graders" / "1_first" / "sum_of_squares" / "show.py").write_text(SHOW)
    return root


@pytest.fixture(scope="module")
def worker(root, own_cache):
    with Worker(root, "required") as worker:
        yield worker


@pytest.fixture
def reference(root):
    return room(load_course(root), root, "sum_of_squares").reference()


def in_terminal(panels, width=100):
    console = Console(record=True, file=io.StringIO(), width=width, highlight=False)
    print_pictures(console, "sum_of_squares", panels)
    return console.export_text()


def test_the_reference_is_what_is_meant(worker, reference):
    """A right program's picture differs nowhere, and is drawn once."""
    panels = worker.show("sum_of_squares", [reference])
    assert [panel.wrong for panel in panels] == [0, 0]
    assert panels[0].own.rows == ([2, 5], [5, 8], [10, 13])
    text = in_terminal(panels)
    assert "meant" not in text
    assert "✗" not in text
    assert "three" in text
    assert "▁" in text
    assert "█" in text


def test_wrong_values_are_marked_beside_what_is_meant(worker, reference):
    """Values that differ are counted and marked; those that agree are not."""
    wrong = reference.replace("number**2", "number * 2")
    panels = worker.show("sum_of_squares", [wrong])
    assert panels[0].own.rows == ([4, 6], [6, 8], [8, 10])
    assert panels[0].wrong == 5
    wide, narrow = in_terminal(panels), in_terminal(panels, width=40)
    for text in (wide, narrow):
        assert text.count("✗") == 5 + 1  # cells, and the curve
        assert "5 values differ" in text
        assert "8.00 " in text
    assert any("yours" in line and "meant" in line for line in wide.splitlines())
    assert not any("yours" in line and "meant" in line for line in narrow.splitlines())


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 'text'", "gave list, which"),
        ("return None", "gave list, which"),
        ("return 1 / 0", "ZeroDivisionError"),
        ("import os; os._exit(1)", "did not answer"),
        ("raise NotImplementedError('later')", "not written yet: later"),
    ],
)
def test_what_cannot_be_drawn_is_said(worker, body, said, tmp_path):
    """A program that gives no numbers, or does not answer, gets words beside what is meant."""
    panels = worker.show("sum_of_squares", [f"def sum_of_squares(numbers):\n    {body}\n"])
    assert said in panels[0].own.problem
    text = in_terminal(panels)
    assert "13.00" in text
    save_pictures(tmp_path / "picture.png", "sum_of_squares", panels)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_values_that_are_not_finite_are_shown(worker, tmp_path):
    """NaN and infinity are marked, in the terminal and in a file."""
    panels = worker.show("sum_of_squares", ["def sum_of_squares(numbers):\n    return float('nan')\n"])
    assert panels[0].wrong == 6
    assert "nan" in in_terminal(panels)
    save_pictures(tmp_path / "picture.png", "sum_of_squares", panels)


def test_without_a_solution_the_own_picture_stands_alone(worker, root, reference):
    """Where the solution is not installed, nothing is meant and nothing is wrong."""
    solution = room(load_course(root), root, "sum_of_squares").solution
    text = solution.read_text()
    solution.unlink()
    try:
        panels = worker.show("sum_of_squares", [reference.replace("number**2", "number")])
    finally:
        solution.write_text(text)
    assert [panel.meant for panel in panels] == [None, None]
    assert [panel.wrong for panel in panels] == [0, 0]


def test_a_fault_of_the_picture_is_not_the_learners(worker, root, reference):
    """A broken show.py is told with its path; one that is missing, in words."""
    path = root / "graders" / "1_first" / "sum_of_squares" / "show.py"
    for text, said in (
        ("def show(student):\n    return student + 1\n", "show.py"),
        ("x = 1\n", "does not define show"),
    ):
        path.write_text(text)
        try:
            with pytest.raises((UsageError, GraderError), match=said):
                worker.show("sum_of_squares", [reference])
        finally:
            path.write_text(SHOW)
    path.unlink()
    try:
        with pytest.raises((UsageError, GraderError), match="has no picture"):
            worker.show("sum_of_squares", [reference])
    finally:
        path.write_text(SHOW)


def test_missing_entries_differ():
    """A table that is larger than the one that is meant has wrong entries, not an error."""
    panel = Drawn(kind="heatmap", title="", own=Lines(rows=([1.0, 2.0],)), meant=Lines(rows=([1.0],)))
    assert panel.wrong == 1


def test_the_command(root, reference, tmp_path, monkeypatch, capsys):
    """`softmarks show` draws in the terminal, or into a file; a folder that is not there is told."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sum_of_squares.py").write_text(reference)

    def run(*more):
        monkeypatch.setattr("sys.argv", ["softmarks", "show", "sum_of_squares", "--course", str(root), *more])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, *capsys.readouterr()

    status, out, _ = run()
    assert status == 0
    assert "13.00" in out
    assert run("--png", "picture.png")[0] == 0
    assert (tmp_path / "picture.png").stat().st_size > 5000
    status, _, err = run("--png", "nowhere/picture.png")
    assert status == 2
    assert "cannot be written" in err
