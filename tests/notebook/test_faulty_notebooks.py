"""A class whose notebooks are broken in every way that people have found, graded by the real nbgrader."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import nbformat
import pytest

from softmarks.course.regions import without_markers
from softmarks.notebook.gradebook import gradebook_of
from softmarks.reporting.recorded import read_verdicts
from softmarks.verdict import ExerciseVerdict
from tests.conftest import TOY
from tests.notebook.conftest import Make, classroom_in
from tests.notebook.made import ASSIGNMENT, EXERCISE, FREE, SHEET
from tests.notebook.nbgrading import BIN, Classroom, change, nbgrader, solved
from tests.secrets_in_results import normalised_text

pytestmark = pytest.mark.filterwarnings("ignore")

NOTEBOOK = f"{EXERCISE}.ipynb"
OTHER = "count_words"
FULL, OTHER_FULL, LETTERS = Decimal(10), Decimal(5), Decimal(2)
RIGHT = """\
def encode(text, shift):
    if not isinstance(shift, int):
        raise TypeError("a whole number, please")
    return "".join(moved(letter, shift) for letter in text)


def moved(letter, shift):
    if letter.lower() not in ALPHABET:
        return letter
    other = ALPHABET[(place(letter.lower()) + shift) % 26]
    return other.upper() if letter.isupper() else other
"""
BACK = "def decode(text, shift):\n    return encode(text, -shift)"
SMALL = RIGHT.replace("other.upper() if letter.isupper() else other", "other")  # capitals come out small
SMALL_POINTS = "8.89"


class Work:
    """What one student hands in: right answers to begin with, in a folder as nbgrader collects it."""

    def __init__(self, classroom: Classroom, student: str) -> None:
        self.classroom = classroom
        self.folder = classroom.folder / "submitted" / student / ASSIGNMENT
        for name in ("building_blocks.py", "checks.zip"):
            path = classroom.hand_in(student, ASSIGNMENT, name, b"")
            path.write_bytes((classroom.folder / "release" / ASSIGNMENT / name).read_bytes())
        self.notebook = classroom.given(ASSIGNMENT, EXERCISE)
        for cell in self.cells:
            cell["source"] = "".join(cell["source"])
        self.set("encode", RIGHT)
        self.set("decode", BACK)

    def add_the_rest(self) -> None:
        """The two other notebooks of the assignment, all right."""
        solution = without_markers((TOY / "solutions" / ASSIGNMENT / f"{OTHER}.py").read_text())
        self.write(solved(self.classroom.given(ASSIGNMENT, OTHER), solution), f"{OTHER}.ipynb")
        sheet = self.classroom.given(ASSIGNMENT, SHEET)
        change(sheet, f"{SHEET}-letters", lambda cell: cell.update(source='ANSWERS = {"first": "b"}'))
        change(sheet, f"{SHEET}-{FREE}", lambda cell: cell.update(source="They stand for sounds."))
        self.write(sheet, f"{SHEET}.ipynb")

    @property
    def cells(self) -> list[dict[str, Any]]:
        cells: list[dict[str, Any]] = self.notebook["cells"]
        return cells

    def at(self, name: str) -> int:
        return [cell.get("id") for cell in self.cells].index(f"{EXERCISE}-{name}")

    def set(self, name: str, source: str) -> None:
        self.cells[self.at(name)]["source"] = source

    def add(self, source: str, at: int = 0) -> None:
        cell = {"cell_type": "code", "id": f"own-{len(self.cells)}", "metadata": {}, "source": source}
        self.cells.insert(at, {**cell, "outputs": [], "execution_count": None})

    def double(self, name: str, source: str) -> None:
        """The same cell once more right behind it, with another source."""
        self.cells.insert(self.at(name) + 1, {**deepcopy(self.cells[self.at(name)]), "source": source})

    def watch(self) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """The cells of nbgrader's, and what their metadata say of them."""
        return ((cell, cell["metadata"]["nbgrader"]) for cell in self.cells if "nbgrader" in cell["metadata"])

    def write(self, data: bytes | dict[str, Any], name: str = NOTEBOOK) -> None:
        (self.folder / name).write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())


@dataclass(frozen=True)
class Fault:
    """How one student's work is broken; the points that it gets (None: nobody can tell), what is told."""

    make: Callable[[Work], object]
    points: Decimal | None
    told: str


FAULTS: dict[str, Fault] = {}
# who hands in all notebooks of the assignment: each one costs time
WITH_THE_REST = ["cut_off", "folder_of_that_name", "damaged_archive", "without_end", "crash", "zz_right"]
Maker = Callable[[Work], object]


def fault(points: str | None, told: str = "") -> Callable[[Maker], Maker]:
    """Put a student into the class, whose name says what is wrong."""

    def put(make: Maker) -> Maker:
        FAULTS[make.__name__] = Fault(make, None if points is None else Decimal(points), told)
        return make

    return put


# the bytes and the format


@fault("10", "read as UTF-8 with a byte order mark")
def byte_order_mark(work: Work) -> None:
    work.write(b"\xef\xbb\xbf" + json.dumps(work.notebook).encode())


@fault("10", "read as UTF-16")
def utf_sixteen(work: Work) -> None:
    work.write(json.dumps(work.notebook).encode("utf-16"))


@fault("10")
def carriage_returns(work: Work) -> None:
    for cell in work.cells:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    work.write(json.dumps(work.notebook, indent=1).replace("\n", "\r\n").encode())


@fault("10")
def format_three(work: Work) -> None:
    cells = [
        {"cell_type": "code", "input": cell["source"].splitlines(True), "outputs": [], "language": "python"}
        if cell["cell_type"] == "code"
        else {"cell_type": "markdown", "source": cell["source"]}
        for cell in work.cells
    ]
    work.write(
        {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    )


@fault("10")
def no_ids(work: Work) -> None:
    for cell in work.cells:
        del cell["id"]
    work.write(work.notebook | {"nbformat_minor": 4})


@fault("10")
def ids_too_early(work: Work) -> None:
    work.write(work.notebook | {"nbformat_minor": 4})


@fault("10")
def one_id_for_all(work: Work) -> None:
    for cell in work.cells:
        cell["id"] = "same"
    work.write(work.notebook)


@fault("10")
def nothing_but_sources(work: Work) -> None:
    work.write(work.notebook)
    work.add_the_rest()
    for path in work.folder.glob("*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        bare = [{"cell_type": cell["cell_type"], "source": cell["source"]} for cell in cells]
        work.write({"cells": bare}, path.name)


@fault("10")
def no_kernel(work: Work) -> None:
    work.write(work.notebook | {"metadata": {}})


@fault("10")
def unknown_kernel(work: Work) -> None:
    work.write(work.notebook | {"metadata": {"kernelspec": {"name": "my-env", "display_name": "mine"}}})


@fault("10", "written in R; read as Python")
def another_language(work: Work) -> None:
    work.write(work.notebook | {"metadata": {"kernelspec": {"name": "ir", "language": "R"}}})


@fault("10")
def not_a_number_in_json(work: Work) -> None:
    work.write(json.dumps(work.notebook | {"metadata": {"zoom": float("nan")}}).encode())


@fault("10")
def half_a_character(work: Work) -> None:
    work.set("encode", f"# \ud83d\n{RIGHT}")
    work.write(work.notebook)


@fault(None, "the notebook is cut off or damaged")
def cut_off(work: Work) -> None:
    data = json.dumps(work.notebook).encode()
    work.write(data[: len(data) // 2])


@fault(None, "its JSON cannot be read")
def deep_json(work: Work) -> None:
    data = json.dumps(work.notebook | {"metadata": {"deep": "?"}})
    work.write(data.replace('"?"', "[" * 100_000 + "]" * 100_000).encode())


@fault(None, "the notebook is empty (0 bytes)")
def empty_file(work: Work) -> None:
    work.write(b"")


@fault(None, "this is JSON, but not a notebook")
def no_notebook(work: Work) -> None:
    work.write(b"[1, 2, 3]")


@fault(None, "the file is larger than 16 MiB")
def twenty_mebibytes(work: Work) -> None:
    work.write(work.notebook | {"metadata": {"widgets": "x" * 20 * 2**20}})


# the name


@fault(None, "the file cannot be opened: is a directory")
def folder_of_that_name(work: Work) -> None:
    (work.folder / NOTEBOOK).mkdir()


@fault(None, "this is a link, not a notebook")
def link_to_another(work: Work) -> None:
    (work.folder / NOTEBOOK).symlink_to(work.folder / f"{OTHER}.ipynb")


@fault("10", "took 'caesar (1).ipynb' as caesar")
def second_download(work: Work) -> None:
    work.write(work.notebook, f"{EXERCISE} (1).ipynb")


@fault("10", "there is no caesar.ipynb; read 'caesar.py'")
def program_instead(work: Work) -> None:
    work.write(f"from building_blocks import *\n{RIGHT}\n{BACK}\n".encode(), f"{EXERCISE}.py")


@fault("10", "there is no caesar.ipynb; read 'caesar.py'")
def programs_alone(work: Work) -> None:
    program_instead(work)
    work.add_the_rest()
    for path in work.folder.glob("*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        code = [cell["source"] for cell in cells if cell["metadata"].get("nbgrader", {}).get("solution")]
        words = 'FREE_ANSWERS = {"why": "They stand for sounds."}' if path.stem == SHEET else ""
        path.with_suffix(".py").write_text("\n".join([*code[:1], words]))
        path.unlink()


@fault("10", "read 'by_mail.zip/caesar.ipynb'")
def inside_an_archive(work: Work) -> None:
    work.write(work.notebook)
    shutil.make_archive(str(work.folder / "by_mail"), "zip", work.folder, NOTEBOOK)
    (work.folder / NOTEBOOK).unlink()


@fault(None, "the archive is broken or cut off")
def damaged_archive(work: Work) -> None:
    work.write(b"PK\x03\x04 and no more", "by_mail.zip")


@fault("10", "2 files for caesar: took 'caesar (1).ipynb', left 'caesar.ipynb'")
def once_more_because_it_was_damaged(work: Work) -> None:
    work.write(b'{"cells": [')
    work.write(work.notebook, f"{EXERCISE} (1).ipynb")


@fault("10", "as caesar")
def right_to_left(work: Work) -> None:
    work.write(work.notebook, f"\u200f\u202e{EXERCISE}\u200f (1).ipynb")


# the cells


@fault("10", "took the last of caesar-encode, which is there more than once")
def right_after_wrong(work: Work) -> None:
    work.set("encode", SMALL)
    work.double("encode", RIGHT)
    work.write(work.notebook)


@fault(SMALL_POINTS, "took the last of caesar-encode, which is there more than once")
def wrong_after_right(work: Work) -> None:
    work.double("encode", SMALL)
    work.write(work.notebook)


@fault("10", "put back what was missing: caesar-works")
def no_check_cell(work: Work) -> None:
    del work.cells[work.at("works")]
    work.write(work.notebook)


@fault("10", "a text cell, because it defines encode")
def code_as_text(work: Work) -> None:
    cell = work.cells[work.at("encode")]
    del cell["outputs"], cell["execution_count"]
    cell["cell_type"] = "markdown"
    work.write(work.notebook)


@fault("10", "took the last of caesar-encode, which is there more than once")
def split_in_two(work: Work) -> None:
    first, second = RIGHT.split("\n\n\n")
    work.set("encode", first)
    work.double("encode", second)
    work.write(work.notebook)


@fault("10")
def upside_down(work: Work) -> None:
    work.cells.reverse()
    work.write(work.notebook)


@fault("10", "dropped 3 notebook commands: %matplotlib inline, !pip install torch, %%time")
def notebook_commands(work: Work) -> None:
    work.add("%matplotlib inline\n!pip install torch\ndisplay(1)")
    work.set("encode", f"%%time\n{RIGHT}")
    work.write(work.notebook)


@fault("10")
def a_cell_that_raises(work: Work) -> None:
    work.add("1 / 0")
    work.write(work.notebook)


@fault("10", "left out cell 1, which is not Python")
def a_cell_that_is_no_python(work: Work) -> None:
    work.add("this is a note")
    work.write(work.notebook)


@fault("0", "the notebook has no code")
def no_cell_at_all(work: Work) -> None:
    work.write(work.notebook | {"cells": []})


@fault(None, "the notebook has more than 2000 cells")
def too_many_cells(work: Work) -> None:
    work.write(work.notebook | {"cells": work.cells * 300})


# what metadata, outputs and locked cells say


@fault("10")
def schema_of_the_future(work: Work) -> None:
    for _, marks in work.watch():
        marks["schema_version"] = 99
    work.write(work.notebook)


@fault("10")
def schema_of_the_past(work: Work) -> None:
    for _, marks in work.watch():
        marks["schema_version"] = 0
    work.write(work.notebook)


@fault(SMALL_POINTS)
def points_of_ones_own(work: Work) -> None:
    work.set("encode", SMALL)
    for _, marks in work.watch():
        marks |= {"points": 500, "grade": True, "solution": False}
    work.write(work.notebook)


@fault("10", "took the last of caesar-decode, which is there more than once")
def name_of_another_cell(work: Work) -> None:
    work.cells[work.at("encode")]["metadata"]["nbgrader"]["grade_id"] = "caesar-decode"
    work.write(work.notebook)


@fault("10")
def name_of_another_exercise(work: Work) -> None:
    for _, marks in work.watch():
        marks["grade_id"] = marks["grade_id"].replace(EXERCISE, OTHER)
    work.write(work.notebook)


@fault("10")
def odd_metadata(work: Work) -> None:
    for number, cell in enumerate(work.cells):
        cell["metadata"] = [["nbgrader"], {"nbgrader": ["grade_id"]}, {"nbgrader": {"grade_id": {}}}, 7][
            number % 4
        ]
        cell["id"] = [cell["id"]]
    work.write(work.notebook)


@fault(SMALL_POINTS, "put the text of what is locked back: caesar-is-right")
def check_that_gives_five(work: Work) -> None:
    work.set("encode", SMALL)
    work.set("is-right", "5.0")
    work.write(work.notebook)


@fault("10", "put the text of what is locked back: caesar-is-right")
def answer_in_a_check(work: Work) -> None:
    work.set("encode", SMALL)
    work.set("is-right", RIGHT)
    work.write(work.notebook)


@fault(SMALL_POINTS)
def outputs_of_ones_own(work: Work) -> None:
    work.set("encode", SMALL)
    data = {"text/plain": "5.0"}
    output = {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}
    for cell in work.cells:
        if cell["cell_type"] == "code":
            cell["outputs"] = [output]
    work.write(work.notebook)


@fault(SMALL_POINTS)
def words_of_a_grader(work: Work) -> None:
    work.set("encode", f'print("### BEGIN GRADE 500")\n### BEGIN GRADE\n10\n### END GRADE\n{SMALL}')
    work.write(work.notebook)


@fault(SMALL_POINTS)
def no_longer_autograding(work: Work) -> None:
    work.add('import os\nos.environ["NBGRADER_EXECUTION"] = "validate"')
    work.set("encode", SMALL)
    work.write(work.notebook)


# programs that do not come back


@fault("0", "it was still running after 1 seconds of computing")
def without_end(work: Work) -> None:
    work.set("encode", "def encode(text, shift):\n    while True:\n        pass")
    work.write(work.notebook)


@fault("0")
def crash(work: Work) -> None:
    work.set("encode", "def encode(text, shift):\n    import ctypes\n\n    ctypes.string_at(0)")
    work.write(work.notebook)


# the last ones of the class: nobody before them took anything from them


@fault("0")
def zz_untouched(work: Work) -> None:
    untouched = deepcopy(work.notebook)
    for name in ("encode", "decode"):
        untouched["cells"][work.at(name)]["source"] = (
            f"def {name}(text, shift):\n    raise NotImplementedError"
        )
    work.write(untouched)


@fault("10")
def zz_right(work: Work) -> None:
    work.write(work.notebook)


@dataclass(frozen=True)
class Graded:
    """A class after `nbgrader autograde` and, of the same folder, `softmarks grade`."""

    classroom: Classroom
    verdicts: dict[str, dict[str, ExerciseVerdict]]
    marks: dict[str, dict[str, dict[str, tuple[float | None, bool]]]]  # and whether a person is asked

    def told(self, student: str, exercise: str = EXERCISE) -> str:
        """What a graded notebook says."""
        return normalised_text(self.notebook(student, exercise))

    def notebook(self, student: str, exercise: str = EXERCISE) -> Path:
        return self.classroom.folder / "autograded" / student / ASSIGNMENT / f"{exercise}.ipynb"


@pytest.fixture(scope="module")
def graded(given_out: Classroom, made_once: Callable[[str, Make], Path]) -> Graded:
    """The class, graded once."""

    def make(root: Path) -> None:
        classroom = classroom_in(root, given_out)
        for student, broken in FAULTS.items():
            work = Work(classroom, student)
            broken.make(work)
            if student in WITH_THE_REST:
                work.add_the_rest()
        stock_in(root / "stock", given_out)
        command = [BIN / "softmarks", "grade", classroom.folder / "submitted", "-o", root / "results"]
        command += ["--workers", "1", "--only", ASSIGNMENT, "--course", given_out.root / "toy"]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as grading:
            nbgrader(
                (classroom.folder, f"autograde {ASSIGNMENT}"),
                (root / "stock" / "course", f"autograde {ASSIGNMENT}"),
                home=root,
            )
            _, said = grading.communicate()
        assert grading.returncode == 0, said

    classroom = Classroom(made_once("faulty", make))
    verdicts = {
        one.student: {e.exercise: e for e in one.exercises}
        for one in read_verdicts(classroom.root / "results")
    }
    return Graded(classroom, verdicts, marks_in(classroom.folder))


def stock_in(root: Path, given: Classroom) -> None:
    """A folder whose configuration somebody replaced by nbgrader's defaults, and right work in it."""
    classroom = classroom_in(root, given)
    work = Work(classroom, "right")
    work.write(work.notebook)
    text = f"c = get_config()\nc.CourseDirectory.root = {str(classroom.folder)!r}\n"
    (classroom.folder / "nbgrader_config.py").write_text(f"{text}c.CourseDirectory.course_id = 'toy'\n")


def marks_in(folder: Path) -> dict[str, dict[str, dict[str, tuple[float | None, bool]]]]:
    """The marks in a gradebook: by student, notebook and cell."""
    with gradebook_of(folder) as gradebook:
        return {
            submission.student.id: {
                notebook.name: {
                    grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in notebook.grades
                }
                for notebook in submission.notebooks
            }
            for submission in gradebook.assignment_submissions(ASSIGNMENT)
        }


def checks(marks: dict[str, tuple[float | None, bool]]) -> list[tuple[float | None, bool]]:
    """The marks of check cells, without what a person judges."""
    return [mark for name, mark in marks.items() if not name.endswith(f"-{FREE}")]


def points(marks: dict[str, tuple[float | None, bool]]) -> Decimal | None:
    """What check cells add up to; None when none has a mark."""
    given = [mark for mark, _ in checks(marks)]
    return None if None in given else sum((Decimal(str(mark)) for mark in given), Decimal(0))


@pytest.mark.parametrize("student", FAULTS)
def test_marks_and_words(student: str, graded: Graded) -> None:
    """Each fault has its exact points, or none and a person's attention; what was repaired is told."""
    marks = graded.marks[student][EXERCISE]
    assert len(marks) == 2
    assert points(marks) == FAULTS[student].points
    assert {waits for _, waits in marks.values()} == {FAULTS[student].points is None}
    assert FAULTS[student].told in graded.told(student)


@pytest.mark.parametrize("student", [*WITH_THE_REST, "programs_alone", "nothing_but_sources"])
def test_the_rest_is_not_lost(student: str, graded: Graded) -> None:
    """Two other notebooks of the same student have their marks, and words wait for a person."""
    assert points(graded.marks[student][OTHER]) == OTHER_FULL
    assert points(graded.marks[student][SHEET]) == LETTERS
    assert graded.marks[student][SHEET][f"{SHEET}-{FREE}"] == (None, True)


@pytest.mark.parametrize("student", FAULTS)
def test_softmarks_grade_says_the_same(student: str, graded: Graded) -> None:
    """To the cent; where one of the two can give no mark, the other gives none that counts."""
    for name, verdict in graded.verdicts[student].items():
        found = points(graded.marks[student][name])
        if found is None:
            assert verdict.status in ("ungradable", "missing")
        else:
            assert sum(check.points for check in verdict.checks) == found
            assert verdict.status != "ungradable"


def test_everybody_is_in_the_gradebook(graded: Graded) -> None:
    """The command ends with 0, and nobody is left out."""
    assert set(graded.marks) == set(FAULTS) == set(graded.verdicts)


@pytest.mark.parametrize("student", FAULTS)
def test_graded_notebooks_can_be_used(student: str, graded: Graded) -> None:
    """Each is valid, with each cell that was given out once, and one number under each check with a mark."""
    given = nbformat.from_dict(graded.classroom.given(ASSIGNMENT, EXERCISE))
    notebook = nbformat.read(graded.notebook(student), as_version=4)
    nbformat.validate(notebook)
    found = [cell.id for cell in notebook.cells]
    assert len(set(found)) == len(found)
    for cell in given.cells:
        if "nbgrader" in cell.metadata:
            assert found.count(cell.id) == 1
    for name, (mark, _) in graded.marks[student][EXERCISE].items():
        cell = notebook.cells[found.index(name)]
        results = [one for one in cell.outputs if one.output_type == "execute_result"]
        assert [float(one.data["text/plain"]) for one in results] == ([] if mark is None else [mark])


def test_what_counts_can_be_seen(graded: Graded) -> None:
    """Code that somebody wrote into a locked cell counts, so it is shown; what was locked is put back."""
    notebook = nbformat.read(graded.notebook("answer_in_a_check"), as_version=4)
    sources = {cell.id: cell.source for cell in notebook.cells}
    assert sources["caesar-is-right"].startswith("# caesar: is it right, 5.00 points.")
    assert [name for name, source in sources.items() if source == RIGHT.rstrip()] == ["handed-in-8"]


def test_nobody_is_said_not_to_have_answered(graded: Graded) -> None:
    """nbgrader says "No response" of a cell as it was given out; not of one that could not be read."""
    with gradebook_of(graded.classroom.folder) as gradebook:

        def comments(student: str) -> set[str | None]:
            notebook = gradebook.find_submission_notebook(EXERCISE, ASSIGNMENT, student)
            return {comment.auto_comment for comment in notebook.comments}

        assert comments("cut_off") == comments("zz_right") == {None}
        assert comments("no_cell_at_all") == {"No response."}


def test_without_our_configuration_nothing_is_right(graded: Graded) -> None:
    """A stock nbgrader gives right work no mark, and says what to put back."""
    stock = graded.classroom.root / "stock" / "course"
    marks = marks_in(stock)["right"][EXERCISE]
    assert marks == {"caesar-works": (0, False), "caesar-is-right": (0, False)}
    told = normalised_text(stock / "autograded" / "right" / ASSIGNMENT / NOTEBOOK)
    assert "this nbgrader is not set up for Softmarks. Put nbgrader_config.py back" in told
