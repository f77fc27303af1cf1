"""Source notebooks: what an instructor's course folder holds, and that nothing of it gets out."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from softmarks.course.course import Course, load_course
from softmarks.course.regions import inside
from softmarks.course.rooms import Room, rooms
from softmarks.course.sheets import read_sheet, worths
from softmarks.course.suites import read_suite
from softmarks.errors import CourseError
from softmarks.grading.release import edition
from softmarks.notebook.folder import CONFIG, Built, build_folder
from softmarks.notebook.source import source_notebook, stage_points
from softmarks.notebook.stages import ANSWERS, STAGES, stage
from softmarks.submission.names import CHECKS
from softmarks.verdict import deal
from tests.conftest import ROOT, TOY
from tests.notebook.made import ASSIGNMENT, EXERCISE, FREE, SHEET, course_with_everything
from tests.notebook.nbgrading import Classroom
from tests.secrets_in_results import texts

COURSES = {root: load_course(root) for root in (TOY, ROOT)}
ROOMS = [place for root, course in COURSES.items() for place in rooms(course, root)]
GIVEN_METADATA = {"nbgrader", "deletable", "editable"}
GIVEN_MARKS = {
    "schema_version",
    "grade_id",
    "grade",
    "solution",
    "locked",
    "task",
    "points",
    "checksum",
    "cell_type",
}
SHORTEST_SECRET = 12
each_room = pytest.mark.parametrize("place", ROOMS, ids=lambda place: place.exercise.name)
SILENT = lambda _words: None  # noqa: E731


SOURCES: dict[str, NotebookNode] = {}
RELEASED: dict[str, NotebookNode] = {}


def source(place: Room) -> NotebookNode:
    """A room's source notebook, made once."""
    name = place.exercise.name
    if name not in SOURCES:
        SOURCES[name] = source_notebook(place, COURSES[place.root])
    return SOURCES[name]


def marks_of(notebook: NotebookNode) -> Iterator[NotebookNode]:
    """What nbgrader's metadata say, cell by cell."""
    return (cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata)


def points_of(notebook: NotebookNode) -> dict[str, Decimal]:
    """The points of graded cells, by the end of their names."""
    return {
        marks.grade_id.partition("-")[2]: Decimal(str(marks.points))
        for marks in marks_of(notebook)
        if marks.grade
    }


@each_room
def test_it_is_valid(place: Room) -> None:
    """By the newest format, without a warning; written and read again it is the same."""
    notebook = source(place)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, nbformat.current_nbformat_minor)
    nbformat.validate(notebook)
    assert nbformat.reads(nbformat.writes(notebook), as_version=4) == notebook


@each_room
def test_cells_have_names_of_their_own(place: Room) -> None:
    """A cell's id is nbgrader's name for it, so that either tells which cell it is."""
    notebook = source(place)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert all(
        re.fullmatch(rf"{place.exercise.name}-[a-zA-Z0-9_-]+", name) and len(name) <= 64 for name in ids
    )
    for cell in notebook.cells:
        assert cell.metadata.get("nbgrader", {}).get("grade_id", cell.id) == cell.id


@each_room
def test_points_are_those_of_the_course(place: Room) -> None:
    """To the cent: what `deal` gives each check, by stage; what `worths` gives each question."""
    points = points_of(source(place))
    assert sum(points.values()) == place.exercise.points
    assert all(points.values())
    course = COURSES[place.root]
    if place.is_sheet:
        sheet = read_sheet(place.sheet)
        worth = worths(sheet, place.exercise.points, place.exercise.judged)
        assert points.pop(ANSWERS) == sum(worth[one.id] for one in sheet.questions)
        assert points == {one.id: worth[one.id] for one in sheet.free}
        assert sum(points.values()) == place.exercise.judged
        return
    suite = {
        one.name: next(kind for kind in one.marks if kind in course.kinds)
        for one in read_suite(place.hidden).checks
    }
    expected = dict.fromkeys(STAGES, Decimal(0))
    for name, worth in deal(place.exercise.points, suite, course.shares(place.exercise)).items():
        expected[stage(suite[name], course.kinds)] += worth
    assert points == {name: worth for name, worth in expected.items() if worth} == stage_points(place, course)
    assert list(points) == [name for name in STAGES if name in points]


@each_room
def test_it_says_what_the_solution_says(place: Room) -> None:
    """The code is that of the solution, in its order, with one cell for each part that a student writes."""
    notebook = source(place)
    solutions = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    if place.is_sheet:
        assert [cell.id.partition("-")[2] for cell in solutions][1:] == [
            one.id for one in read_sheet(place.sheet).free
        ]
        return
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code" and is_of_the_exercise(cell)]
    assert ast.dump(ast.parse("\n\n".join(code))) == ast.dump(ast.parse(place.solution.read_text()))
    assert sum(
        cell.source.count("### BEGIN SOLUTION") for cell in solutions
    ) == place.solution.read_text().count("### BEGIN SOLUTION")
    assert all("### BEGIN SOLUTION" in cell.source for cell in solutions)


def is_of_the_exercise(cell: NotebookNode) -> bool:
    """Whether a code cell is a piece of the exercise: no set-up, no check."""
    return not cell.id.endswith("-setup") and not cell.metadata.get("nbgrader", {}).get("grade")


def test_another_process_writes_the_same_bytes() -> None:
    """Whatever the order of sets there."""
    program = (
        "import hashlib, sys, nbformat; from pathlib import Path\n"
        "from softmarks.course.course import load_course; from softmarks.course.rooms import rooms\n"
        "from softmarks.notebook.source import source_notebook as source\n"
        "for root in map(Path, sys.argv[1:]):\n"
        "    course = load_course(root)\n"
        "    for place in rooms(course, root):\n"
        "        print(hashlib.sha256(nbformat.writes(source(place, course)).encode()).hexdigest())\n"
    )
    command = [sys.executable, "-c", program, TOY, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONHASHSEED": "1"}, check=True)
    assert done.stdout.split() == [
        hashlib.sha256(nbformat.writes(source(place)).encode()).hexdigest() for place in ROOMS
    ]


# what students get


@cache
def preprocessors(root: Path) -> list[object]:
    """What `nbgrader generate_assignment` does to a notebook, as configured, but for its gradebook."""
    from traitlets.config import Config
    from traitlets.utils.importstring import import_item

    from softmarks.notebook.configuring import configure

    config = Config()
    configure(config, course=str(root))
    names = [name for name in config.GenerateAssignment.preprocessors if not name.endswith("SaveCells")]
    assert len(names) == len(config.GenerateAssignment.preprocessors) - 1
    return [import_item(name)(config=config) for name in names]


def released(place: Room) -> NotebookNode:
    """A room's notebook as students get it, made once."""
    name = place.exercise.name
    if name not in RELEASED:
        RELEASED[name] = given_from(place, COURSES[place.root])
    return RELEASED[name]


def given_from(place: Room, course: Course) -> NotebookNode:
    """What `nbgrader generate_assignment` makes of a room's source notebook."""
    notebook, resources = source_notebook(place, course), {"nbgrader": {}}
    for preprocessor in preprocessors(place.root):
        notebook, resources = preprocessor.preprocess(notebook, resources)
    return notebook


def secrets(place: Room) -> set[str]:
    """Lines and sentences that students must not see, but for what the printed stub shows."""
    if place.is_sheet:
        sheet = read_sheet(place.sheet)
        told = [text for one in sheet.questions for text in (one.because, *one.wrong.values())]
        told += [text for one in sheet.free for text in (one.answer, *one.rubric)]
    else:
        lines = place.solution.read_text().splitlines()
        told = [lines[at] for at in inside(lines)]
        told += place.hidden.read_text().splitlines()
        told += [text for one in place.misconceptions() for _, new in one.edits for text in new.splitlines()]
        told += [one.says for one in place.misconceptions()]
    shown = flat(place.stub.read_text())
    plain = {flat(text) for text in told}
    return {text for text in plain if len(text) >= SHORTEST_SECRET and text not in shown}


def flat(text: str) -> str:
    return " ".join(text.split())


@each_room
def test_students_get_no_line_of_it(place: Room) -> None:
    """No solution, answer, mark scheme, hidden check or misconception: in sources, metadata or elsewhere."""
    hidden = secrets(place)
    assert len(hidden) > 6
    seen = flat("\n".join(texts(released(place))))
    assert [secret for secret in hidden if secret in seen] == []
    assert "BEGIN SOLUTION" not in seen


@each_room
def test_the_search_finds_what_is_there(place: Room) -> None:
    """The source notebook holds solutions and mark schemes: the rule before this one is about something."""
    seen = flat("\n".join(texts(source(place))))
    assert any(secret in seen for secret in secrets(place)) or (
        place.is_sheet and not read_sheet(place.sheet).free
    )


@each_room
def test_students_get_the_printed_stub(place: Room) -> None:
    """The code is that of exercises/, which `softmarks release` gives them; no letter is filled in."""
    cells = [cell for cell in released(place).cells if cell.cell_type == "code"]
    code = [cell.source for cell in cells if is_of_the_exercise(cell)]
    if not place.is_sheet:
        assert ast.dump(ast.parse("\n\n".join(code))) == ast.dump(ast.parse(place.stub.read_text()))
        return
    names: dict[str, dict[str, str | None]] = {}
    exec("\n".join(code), names)
    assert names["ANSWERS"] == {one.id: None for one in read_sheet(place.sheet).questions}


@each_room
def test_nothing_hides_beside_the_sources(place: Room) -> None:
    """No attachment, no output, no metadata but nbgrader's own; an answer in words is waited for."""
    notebook = released(place)
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    for cell in notebook.cells:
        assert set(cell.metadata) <= GIVEN_METADATA
        assert set(cell.metadata.get("nbgrader", {})) <= GIVEN_MARKS
        assert "attachments" not in cell
        assert not cell.get("outputs")
        if cell.cell_type == "markdown" and cell.metadata.nbgrader.solution:
            assert cell.source == "YOUR ANSWER HERE"


def test_nbgrader_itself_gives_out_the_same(given_out: Classroom) -> None:
    """`nbgrader generate_assignment` on the folder that was built: the same notebooks, to the byte."""
    root = given_out.root / "toy"
    course = load_course(root)
    names = set()
    for place in rooms(course, root):
        path = given_out.folder / "release" / place.exercise.assignment / f"{place.exercise.name}.ipynb"
        assert nbformat.read(path, as_version=4) == given_from(place, course)
        names.add(place.exercise.name)
    assert names == {"count_words", EXERCISE, SHEET, "running_mean"}


def test_answers_in_words_are_kept_back(given_out: Classroom) -> None:
    """Model answer and mark scheme are in the source, and nowhere in what is given out."""
    sheet = read_sheet(given_out.root / "toy" / "solutions" / ASSIGNMENT / f"{SHEET}.yml")
    (free,) = sheet.free
    notebooks = [given_out.folder / step / ASSIGNMENT / f"{SHEET}.ipynb" for step in ("source", "release")]
    inner, outer = (flat("\n".join(texts(json.loads(path.read_text())))) for path in notebooks)
    for secret in (free.answer, *free.rubric, "Mark scheme"):
        assert secret in inner
        assert secret not in outer


def test_the_checks_beside_a_notebook_are_the_student_edition(given_out: Classroom) -> None:
    """checks.zip holds the course of the student edition for the assignment, file by file, nothing else."""
    root = given_out.root / "toy"
    expected = dict(edition(load_course(root).part([ASSIGNMENT]), root, SILENT))
    packed = unpacked(given_out.folder / "release" / ASSIGNMENT / CHECKS)
    assert packed == expected
    assert {Path(name).name for name in packed} == {
        *("course.yml", "building_blocks.py", "count_words.py", "caesar.py", "quiz.py", "questions.yml"),
        *("stub.py", "test_public.py", "hints.md", "fingerprints.json", "edition.json"),
    }


def unpacked(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class NoWorker:
    """In place of a worker, where what it would find out does not matter."""

    def __init__(self, *_: object) -> None:
        pass

    def __enter__(self) -> NoWorker:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def fingerprints(self, exercise: str) -> str:
        return f"fingerprints of {exercise}"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build without a worker, which takes seconds to start."""
    monkeypatch.setattr("softmarks.grading.release.Worker", NoWorker)


def test_a_whole_course_is_given_out_without_its_secrets(quick: None, tmp_path: Path) -> None:
    """All files of all assignments of the attention course, archives too: no line of any room's secrets."""
    course = COURSES[ROOT]
    build_folder(course, ROOT, tmp_path / "nbgrader", "attention", SILENT)
    places = [place for place in ROOMS if place.root == ROOT]
    hidden = {secret for place in places for secret in secrets(place) if len(secret) > 25}
    public = flat("\n".join(path.read_text() for path in public_files(places)))
    hidden = {secret for secret in hidden if secret not in public}
    assert len(hidden) > 1000
    archives = sorted((tmp_path / "nbgrader" / "source").rglob(CHECKS))
    assert [path.parent.name for path in archives] == [part.name for part in course.assignments]
    for archive in archives:
        seen = flat("\n".join(data.decode() for data in unpacked(archive).values()))
        assert [secret for secret in hidden if secret in seen] == [], archive
    beside = {path.name for path in (tmp_path / "nbgrader" / "source").rglob("*") if path.is_file()}
    assert beside == {f"{place.exercise.name}.ipynb" for place in places} | {CHECKS, "building_blocks.py"}


def public_files(places: list[Room]) -> Iterator[Path]:
    """What `softmarks release` ships as it is."""
    yield ROOT / "course.yml"
    for place in places:
        yield from (
            one for one in (place.stub, place.public, place.hints_file, place.picture) if one.is_file()
        )
    yield from ROOT.glob("exercises/*/building_blocks.py")


# building again


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course to change."""
    return course_with_everything(tmp_path / "course's own")


def built(root: Path, folder: Path, *names: str) -> Built:
    return build_folder(load_course(root).part(names), root, folder, str(root), SILENT)


def written(done: Built) -> list[str]:
    return [path.name for path in done.written]


def test_what_a_build_writes(quick: None, root: Path, tmp_path: Path) -> None:
    """A notebook an exercise, given code, the checks of students; then nbgrader's configuration."""
    done = built(root, tmp_path / "nbgrader")
    first = ["building_blocks.py", "caesar.ipynb", CHECKS, "count_words.ipynb", "quiz.ipynb"]
    assert written(done) == [*first, CHECKS, "running_mean.ipynb", CONFIG]
    assert done.kept == []
    with zipfile.ZipFile(tmp_path / "nbgrader" / "source" / ASSIGNMENT / CHECKS) as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}  # no time is in it
    given = tmp_path / "nbgrader" / "source" / ASSIGNMENT / "building_blocks.py"
    assert given.read_text() == (root / "solutions" / ASSIGNMENT / "building_blocks.py").read_text()


def test_building_again_writes_nothing(quick: None, root: Path, tmp_path: Path) -> None:
    """Not a byte, and not a time stamp."""
    built(root, tmp_path / "nbgrader")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "nbgrader").rglob("*")}
    again = built(root, tmp_path / "nbgrader")
    assert (again.written, again.kept) == ([], [])
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "nbgrader").rglob("*")} == before


def test_what_a_person_edited_is_kept_and_told(quick: None, root: Path, tmp_path: Path) -> None:
    """A notebook and the configuration: also when the course has changed since, and every time again."""
    folder = tmp_path / "nbgrader"
    built(root, folder)
    edited = folder / "source" / ASSIGNMENT / "caesar.ipynb"
    config = folder / CONFIG
    edited.write_text(edited.read_text().replace("Shift letters", "Move letters"))
    config.write_text(config.read_text() + "c.Exchange.root = '/srv/exchange'\n")
    kept = {path: path.read_bytes() for path in (edited, config)}
    assert (built(root, folder).written, built(root, folder).kept) == ([], [edited])
    course = root / "course.yml"
    course.write_text(
        course.read_text().replace("points: 5\n", "points: 6\n").replace("points: 10", "points: 20")
    )
    done = built(root, folder)
    assert written(done) == [CHECKS, "count_words.ipynb", CHECKS]
    assert done.kept == [edited]
    assert {path: path.read_bytes() for path in (edited, config)} == kept
    edited.unlink()
    done = built(root, folder)
    assert (done.written, done.kept) == ([edited], [])
    assert points_of(nbformat.read(edited, as_version=4)) == {"works": 10, "is-right": 10}


def test_line_ends_are_no_edit(quick: None, root: Path, tmp_path: Path) -> None:
    """git may have changed them."""
    built(root, tmp_path / "nbgrader")
    path = tmp_path / "nbgrader" / "source" / ASSIGNMENT / "caesar.ipynb"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    done = built(root, tmp_path / "nbgrader")
    assert (done.written, done.kept) == ([], [])


@pytest.mark.parametrize("edit", [False, True])
def test_what_is_no_longer_printed_goes(edit: bool, quick: None, root: Path, tmp_path: Path) -> None:
    """The notebook of an exercise that the course has no more; not one that a person edited."""
    folder = tmp_path / "nbgrader"
    built(root, folder)
    path = folder / "source" / ASSIGNMENT / f"{EXERCISE}.ipynb"
    if edit:
        path.write_text(path.read_text() + "\n")
    course = root / "course.yml"
    text = course.read_text().replace(", caesar]", "]")
    course.write_text(re.sub(r"      - name: caesar\n(        .*\n)+", "", text))
    done = built(root, folder)
    assert path.exists() is edit
    assert (path in done.kept) is edit
    assert (path in done.written) is not edit


def test_one_assignment_alone(quick: None, root: Path, tmp_path: Path) -> None:
    """The others are neither written nor taken away."""
    folder = tmp_path / "nbgrader"
    built(root, folder, "2_numbers")
    assert [path.name for path in (folder / "source").iterdir()] == ["2_numbers"]
    before = {path: path.read_bytes() for path in (folder / "source").rglob("*.*")}
    assert "running_mean.ipynb" not in written(built(root, folder, ASSIGNMENT))
    assert {path: path.read_bytes() for path in before} == before
    assert (folder / "source" / ASSIGNMENT / f"{SHEET}.ipynb").is_file()


def test_the_configuration_can_be_loaded(quick: None, root: Path, tmp_path: Path) -> None:
    """It names its own folder, wherever that is put, and the course, whatever that is called."""
    from traitlets.config.loader import PyFileConfigLoader

    built(root, tmp_path / "nbgrader")
    shutil.move(tmp_path / "nbgrader", tmp_path / "elsewhere")
    config = PyFileConfigLoader(CONFIG, path=str(tmp_path / "elsewhere")).load_config()
    assert config.GivenOut.course == str(root)
    assert config.CourseDirectory.root == str(tmp_path / "elsewhere")
    assert config.CourseDirectory.course_id == "toy"
    assert config.GivenOut.trust_submissions is False


# what goes wrong


Says = Callable[..., tuple[int, str, str]]


def test_the_command_says_what_it_did(quick: None, root: Path, tmp_path: Path, says: Says) -> None:
    """What was written, what was kept, and what comes next."""
    folder = tmp_path / "nbgrader"
    status, out, err = says("nbgrader", "build", folder, "--assignment", ASSIGNMENT, "--course", root)
    assert (status, err) == (0, "")
    assert f"wrote {folder / 'source' / ASSIGNMENT / 'caesar.ipynb'}" in out
    assert "2_numbers" not in out
    assert out.splitlines()[-1] == f"Next: cd {folder}, then nbgrader generate_assignment {ASSIGNMENT}"
    edited = folder / "source" / ASSIGNMENT / "quiz.ipynb"
    edited.write_text("{}")
    status, out, err = says("nbgrader", "build", folder, "--assignment", ASSIGNMENT, "--course", root)
    assert out.splitlines()[0] == f"kept {edited}: you edited it. Delete it to have it written anew"


@pytest.mark.parametrize(
    ("wrong", "near"), [("1_texts", "1_text"), ("numbers", "2_numbers"), ("caesar", "1_text, 2_numbers")]
)
def test_a_wrong_name_of_an_assignment(wrong: str, near: str, root: Path, tmp_path: Path, says: Says) -> None:
    """Near names are offered; nothing is written."""
    status, out, err = says(
        "nbgrader", "build", tmp_path / "nbgrader", "--assignment", wrong, "--course", root
    )
    assert (status, out) == (2, "")
    assert err.startswith(f'softmarks: there is no assignment "{wrong}"')
    assert all(name in err for name in near.split(", "))
    assert not (tmp_path / "nbgrader").exists()


@pytest.mark.parametrize("where", ["file", "file/inside", "folder", "/proc/softmarks"])
def test_a_folder_that_cannot_be_written(
    where: str, quick: None, root: Path, tmp_path: Path, says: Says
) -> None:
    """One line, and what to do; whether it is a file, has one in the way, or is no place to write."""
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "source").write_text("mine")
    status, out, err = says("nbgrader", "build", tmp_path / where, "--course", root)
    assert (status, out) == (2, "")
    assert err.startswith(f"softmarks: {tmp_path / where}: the course folder cannot be written: ")
    assert err.count("\n") == 1
    assert (tmp_path / "file").read_text() == (tmp_path / "folder" / "source").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_told_at_once(root: Path, tmp_path: Path, monkeypatch) -> None:
    """Before a worker is started, which may be busy for minutes."""
    monkeypatch.setattr("softmarks.grading.release.Worker", lambda *_: pytest.fail("a worker was started"))
    (tmp_path / "file").write_text("mine")
    with pytest.raises(Exception, match="cannot be written"):
        built(root, tmp_path / "file")


def test_a_broken_record_is_told(quick: None, root: Path, tmp_path: Path) -> None:
    """Where it is, and what to do."""
    folder = tmp_path / "nbgrader"
    built(root, folder)
    (folder / ".softmarks" / f"{ASSIGNMENT}.json").write_text("{")
    with pytest.raises(CourseError, match="the record of printed files is no JSON"):
        built(root, folder)


def test_a_function_that_is_called_like_a_check_cell(root: Path) -> None:
    """Its cell has another name: the marks go to the check cell."""
    path = root / "solutions" / ASSIGNMENT / f"{EXERCISE}.py"
    path.write_text(
        path.read_text().replace("def encode(", "def works(").replace("def decode(", "def setup(")
    )
    place = next(one for one in rooms(load_course(root), root) if one.exercise.name == EXERCISE)
    ids = [cell.id for cell in source_notebook(place, load_course(root)).cells]
    assert [name for name in ids if name.endswith(("works", "works-2", "setup", "setup-2"))] == [
        *("caesar-setup", "caesar-works-2", "caesar-setup-2", "caesar-works"),
    ]


def test_many_cells_of_one_kind(root: Path) -> None:
    """Texts, given code, and functions that are written twice: each cell has a name of its own."""
    path = root / "solutions" / ASSIGNMENT / f"{EXERCISE}.py"
    path.write_text(path.read_text() + path.read_text())
    place = next(one for one in rooms(load_course(root), root) if one.exercise.name == EXERCISE)
    ids = [cell.id for cell in source_notebook(place, load_course(root)).cells]
    assert ids == [
        *(
            "caesar-how-graded",
            "caesar-setup",
            "caesar-text-1",
            "caesar-given-2",
            "caesar-encode",
            "caesar-decode",
        ),
        *(
            "caesar-text-5",
            "caesar-given-6",
            "caesar-encode-2",
            "caesar-decode-2",
            "caesar-works",
            "caesar-is-right",
        ),
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("answers", "two cells of the notebook would be called quiz-answers"),
        ("setup", "two cells of the notebook would be called quiz-setup"),
        ("w" * 60, "64 characters is most"),
    ],
)
def test_a_question_whose_name_cannot_be_used(name: str, said: str, root: Path) -> None:
    """The author is told where it stands and what to do, not that a notebook is invalid."""
    path = root / "solutions" / ASSIGNMENT / f"{SHEET}.yml"
    path.write_text(path.read_text().replace(f"id: {FREE}", f"id: {name}"))
    place = next(one for one in rooms(load_course(root), root) if one.exercise.name == SHEET)
    with pytest.raises(CourseError, match=said) as told:
        source_notebook(place, load_course(root))
    assert told.value.where == path
    assert told.value.fix
