"""`new` and `new-course`: what they write works as it is, and touches nothing else."""

import shutil

import pytest

from softmarks.cli.main import main
from softmarks.course.completeness import problems
from softmarks.course.course import load_course
from softmarks.course.leaks import leaks_of
from softmarks.course.lesson import build
from softmarks.course.scaffold import new_course, new_exercise
from softmarks.course.secrets import secret_lines
from softmarks.errors import CourseError, UsageError
from softmarks.grading.audit import QUICK, audit_room
from softmarks.grading.release import student_edition
from softmarks.grading.workers import Worker
from tests.conftest import TOY


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A new course with a second exercise in its assignment, and a third in a new one."""
    root = tmp_path_factory.mktemp("new") / "My Course!"
    new_course(root)
    for address in ("1_first/fold_list", "2_loops/walk_list"):
        new_exercise(root, load_course(root), address)
    build(load_course(root), root)
    return root


def test_a_new_course_is_complete(root):
    """The course loads under the folder's name, and nothing is missing."""
    course = load_course(root)
    assert (course.id, course.title) == ("my-course", "My course")
    assert [(part.name, part.title) for part in course.assignments] == [
        ("1_first", "The first assignment"),
        ("2_loops", "Loops"),
    ]
    assert [exercise.name for exercise in course.exercises] == ["sum_of_squares", "fold_list", "walk_list"]
    assert problems(course, root) == []


def test_new_rooms_pass_their_audit(root, own_cache):
    """Before an author changes a word, each room keeps every promise."""
    course = load_course(root)
    with Worker(root, "required") as worker:
        for exercise in course.exercises:
            found = audit_room(worker, course, root, exercise, QUICK, lambda _words: None)
            assert found.faults == []
            assert found.caught.total == found.named.total == 3


def test_a_new_course_can_be_given_out(root, tmp_path, own_cache):
    """What the engine's wheel has of the templates is no secret of the course that began with them."""
    course = load_course(root)
    files = student_edition(course, root, lambda _words: None)
    assert leaks_of(files, secret_lines(course, root)) == []
    assert "exercises/1_first/fold_list.py" in files


def test_a_room_fits_another_course(tmp_path):
    """A new exercise takes the kinds and the outcome of the course that it joins, and keeps its comments."""
    root = tmp_path / "toy"
    shutil.copytree(TOY, root)
    before = (root / "course.yml").read_text()
    written = new_exercise(root, load_course(root), "1_text/turn_round")
    assert written[0] == root / "course.yml"
    after = (root / "course.yml").read_text()
    start = after.index("      - name: turn_round")
    assert before == after[:start] + after[after.index("\n  - name: 2_numbers") :]
    exercise = load_course(root).exercise("turn_round")
    assert (exercise.assignment, exercise.outcomes) == ("1_text", ("walk-a-text",))
    build(load_course(root), root)
    assert problems(load_course(root), root) == []
    assert "@pytest.mark.behaviour" in (root / "graders/1_text/turn_round/test_hidden.py").read_text()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("fold", "no place for an exercise"),
        ("1_text/", "no place for an exercise"),
        ("1_text/Fold", "no place for an exercise"),
        ("../1_text/fold", "no place for an exercise"),
        ("1_text/caesar", "there is an exercise caesar already"),
        ("3_more/text", "a part of the assignment's name"),
    ],
)
def test_a_wrong_address_writes_nothing(tmp_path, address, said):
    """A name that cannot be is told, and course.yml is as it was."""
    root = tmp_path / "toy"
    shutil.copytree(TOY, root)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    with pytest.raises((UsageError, CourseError), match=said):
        new_exercise(root, load_course(root), address)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_files_that_are_there_stay(tmp_path):
    """A room's file that exists already is not overwritten, and course.yml gets no entry."""
    root = tmp_path / "toy"
    shutil.copytree(TOY, root)
    (root / "solutions" / "1_text" / "fold.py").write_text("mine")
    before = (root / "course.yml").read_text()
    with pytest.raises(CourseError, match="there is a file already"):
        new_exercise(root, load_course(root), "1_text/fold")
    assert (root / "course.yml").read_text() == before
    assert (root / "solutions" / "1_text" / "fold.py").read_text() == "mine"
    assert not (root / "graders" / "1_text" / "fold").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    """A new course needs a folder of its own."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="something already"):
        new_course(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_commands_say_what_comes_next(tmp_path, monkeypatch, capsys):
    """Both commands list what they wrote and the next step."""
    monkeypatch.chdir(tmp_path)
    for arguments, said in (
        (["new-course", "loops"], "cd loops, then softmarks build"),
        (["new", "1_first/fold_list", "--course", "loops"], "softmarks audit fold_list --quick"),
    ):
        monkeypatch.setattr("sys.argv", ["softmarks", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        out = capsys.readouterr().out
        assert said in out
        assert "test_hidden.py" in out
