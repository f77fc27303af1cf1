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
        ("return {'a': 1}", "gave list, which"),
        ("return __import__('fractions').Fraction(1, 3)", "gave list, which"),
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


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return []", "gave an empty list"),
        ("return [[]]", "gave list"),
        ("return [[1, 2], [3]]", "gave list"),
        ("return [1, 2]", "gave list"),
        ("return {0: [1]}", "gave dict"),
        ("return sum_of_squares", "gave an object that is neither a tensor nor a list"),
        ("return 7", "gave int"),
    ],
)
def test_a_table_that_is_none_is_said(root, worker, body, said):
    """Where a picture takes an answer as it is: no answer is the grader's fault."""
    place = room(load_course(root), root, "sum_of_squares")
    place.picture.write_text(
        "from softmarks.pictures import Heatmap\n\n\ndef show(student):\n"
        "    return [Heatmap('It', student.sum_of_squares([1]), 'a', 'b', ('c',), ('d',))]\n"
    )
    text = place.solution.read_text()
    place.solution.unlink()
    try:
        (panel,) = worker.show("sum_of_squares", [f"def sum_of_squares(numbers):\n    {body}\n"])
    finally:
        place.picture.write_text(SHOW)
        place.solution.write_text(text)
    assert said in panel.own.problem
    assert "cannot show" in panel.own.problem


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


def test_without_a_solution_a_picture_of_what_fits_no_picture(worker, root):
    """A picture that does arithmetic with an answer of another kind blames the answer, not the course."""
    place = room(load_course(root), root, "sum_of_squares")
    text = place.solution.read_text()
    place.picture.write_text(SHOW.replace("[n]) for", "[n]) + 1 for"))
    place.solution.unlink()
    try:
        (panel,) = worker.show("sum_of_squares", ["def sum_of_squares(numbers):\n    return 'many'\n"])
    finally:
        place.solution.write_text(text)
        place.picture.write_text(SHOW)
    assert panel.own.problem == "your code gave something that this picture cannot show"


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


def table(own, meant=None, **more):
    """A heatmap of these rows."""
    sides = {"own": Lines(rows=tuple(own)), "meant": None if meant is None else Lines(rows=tuple(meant))}
    return Drawn(kind="heatmap", **{"title": "Weights", **sides, **more})


def test_labels_are_whole_where_the_terminal_is_wide_enough():
    """Columns are as wide as their labels; in a narrow terminal labels are cut, and numbers never."""
    labels = {"row_labels": ("before word 1",), "column_labels": ("head 0, a", "head 0, b", "head 1, a")}
    panel = table([[0.25, -0.5, 1.0]], **labels)
    wide, narrow = in_terminal([panel], width=50), in_terminal([panel], width=39)
    assert all(label in wide for label in (*labels["row_labels"], *labels["column_labels"]))
    assert "head …" in narrow
    for text in (wide, narrow):
        assert "before word 1" in text
        assert "0.25" in text
        assert "-0.50" in text


def test_columns_that_do_not_fit_are_counted():
    """Where the terminal is too narrow for all numbers, the last columns are left out, and it is said."""
    text = in_terminal([table([[float(n) for n in range(20)]])], width=60)
    assert "8.00" in text
    assert "… and 11 more columns" in text
    assert max(map(len, text.splitlines())) <= 60


def test_numbers_that_differ_look_different():
    """A wrong number that would read like the one that is meant gets more digits; a zero has no sign."""
    assert "-0.00" not in in_terminal([table([[-0.0, -0.001]])])
    assert table([[0.251, 0.5]], [[0.25, 0.5]]).decimals == 2
    panel = table([[0.2514, 0.5]], [[0.25, 0.5]])
    assert "0.251✗" in in_terminal([panel])
    assert "0.250 " in in_terminal([panel])
    large = table([[1000.0, 123456.0]], [[1001.1, 123999.0]])
    assert "1.23e+05✗" in in_terminal([large])
    assert "1.24e+05 " in in_terminal([large])


def test_a_long_title_keeps_its_axes_together():
    """Axes and counts that do not fit beside the title stand below it."""
    panel = table([[1.0]], [[2.0]], title="T" * 30, y_axis="query", x_axis="key")
    assert f"{'T' * 30}  query by key  1 value differs\n" in in_terminal([panel])
    assert f"{'T' * 30}\n  query by key  1 value differs\n" in in_terminal([panel], width=50)


def test_curves_name_their_axes_and_their_ends():
    """What the numbers beside a curve are is written above them; a long curve is thinned to fit."""
    lines = Lines(names=("fine",), rows=([0.5] * 80 + [-0.25],))
    panel = Drawn(kind="curves", title="Waves", x_axis="position", y_axis="encoding", own=lines)
    title, heads, curve = in_terminal([panel], width=50).splitlines()[:3]
    assert title == "Waves  encoding by position"
    assert heads.split() == ["position:", "0", "…", "80", "first", "last"]
    assert curve.split()[0] == "fine"
    assert curve.split()[-2:] == ["0.5", "-0.25"]


def test_both_sides_share_a_scale():
    """A curve twice as high as the one that is meant is drawn twice as high; a logarithm is obeyed."""
    own, meant = Lines(names=("a",), rows=([1.0, 100.0],)), Lines(names=("a",), rows=([1.0, 10000.0],))
    panel = Drawn(kind="curves", title="", own=own, meant=meant, logarithmic=True)
    assert panel.span == (1.0, 10000.0)
    assert panel.share(100.0) == pytest.approx(0.5)
    assert panel.model_copy(update={"logarithmic": False}).share(100.0) == pytest.approx(99 / 9999)


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
