"""Rooms: where files lie, edits of the reference, hints, and what a course still lacks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from softmarks.course import completeness
from softmarks.course.completeness import problems
from softmarks.course.course import load_course
from softmarks.course.importing import Imported, imported
from softmarks.course.rooms import Misconception, Room, Trivial, Variant, joined, room, rooms
from softmarks.errors import CourseError, UsageError

TOY = Path(__file__).parents[1] / "courses" / "toy"
COURSE = load_course(TOY)
REFERENCE = '''\
import math


def area(radius):
    return math.pi * radius**2


class Circle:
    """A circle."""

    def __init__(self, radius):
        self.radius = radius

    @property
    def area(self):
        return area(self.radius)


def last():
    return 1
'''


@pytest.fixture
def course_root(tmp_path: Path) -> Path:
    """A copy of the toy course, to spoil."""
    return shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))


def toy_room(root: Path, name: str = "count_words") -> Room:
    return room(COURSE, root, name)


# Rooms


def test_the_same_address_in_every_tree() -> None:
    """All files of an exercise lie under assignment/exercise."""
    caesar = toy_room(TOY, "caesar")
    assert caesar.solution == TOY / "solutions/1_text/caesar.py"
    assert caesar.stub == TOY / "exercises/1_text/caesar.py"
    assert caesar.public == TOY / "graders/1_text/caesar/test_public.py"
    assert caesar.hidden == TOY / "graders/1_text/caesar/test_hidden.py"
    assert [path.name for path in caesar.alternatives] == ["code_points.py", "translate.py"]
    assert caesar.address == "1_text/caesar"


def test_rooms_in_the_order_of_the_course() -> None:
    """There is a room for every exercise, in order; an unknown name is told."""
    assert [each.exercise.name for each in rooms(COURSE, TOY)] == ["count_words", "caesar", "running_mean"]
    with pytest.raises(UsageError, match='Did you mean "caesar"'):
        room(COURSE, TOY, "caesars")


def test_building_blocks(course_root: Path) -> None:
    """Given code is the author's copy, else the printed one, else there is none."""
    assert toy_room(course_root).building_blocks == course_root / "solutions/1_text/building_blocks.py"
    (course_root / "solutions/1_text/building_blocks.py").unlink()
    assert toy_room(course_root).building_blocks == course_root / "exercises/1_text/building_blocks.py"
    assert toy_room(course_root, "running_mean").building_blocks is None


def test_the_reference_is_the_solution_without_markers() -> None:
    """The reference is a program: the solution is in, the region markers are not."""
    reference = toy_room(TOY).reference()
    assert "SOLUTION" not in reference
    names: dict[str, object] = {}
    exec(reference, names)
    count = names["count_words"]
    assert callable(count)
    assert count("a b A") == {"a": 2, "b": 1}


def test_a_reference_saved_on_windows(course_root: Path) -> None:
    """A byte order mark and CRLF line ends do not reach the reference."""
    reference, solution = toy_room(TOY).reference(), toy_room(course_root).solution
    solution.write_bytes(b"\xef\xbb\xbf" + solution.read_bytes().replace(b"\n", b"\r\n"))
    assert toy_room(course_root).reference() == reference


def test_a_solution_that_is_no_python(course_root: Path) -> None:
    """A solution that does not compile is told with its line."""
    path = toy_room(course_root).solution
    path.write_text(path.read_text().replace("def count_words(text):", "def count_words(text:"))
    with pytest.raises(CourseError, match=r"count_words\.py:\d+: the solution is no Python"):
        toy_room(course_root).reference()


def test_hints() -> None:
    """The hints come by name; a heading inside a hint is no hint."""
    hints = toy_room(TOY).hints()
    assert list(hints) == ["nudge", "formula", "line"]
    assert hints["line"] == "The line that counts a word adds 1 to what `counts.get` knows of it."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the headings are missing"),
        ("## Nudge\na\n## Line\nb\n", "the headings are nudge, line"),
        ("## Formula\na\n## Nudge\nb\n## Line\nc\n", "the headings are formula, nudge, line"),
        ("## Nudge\na\n## Formula\n\n## Line\nc\n", "the hint formula is empty"),
    ],
)
def test_wrong_hints(course_root: Path, text: str, said: str) -> None:
    """All three hints must be there, in order, with words."""
    toy_room(course_root).hints_file.write_text(text)
    with pytest.raises(CourseError, match=rf"hints\.md: {said}"):
        toy_room(course_root).hints()


# Variants


def test_edits_are_made_in_the_reference() -> None:
    """All edits are made at once, each where its old text is."""
    variant = Variant("swapped", (("**2", "**3"), ("return 1", "return 2")))
    expected = REFERENCE.replace("**2", "**3").replace("return 1", "return 2")
    assert variant.apply(REFERENCE) == expected


def test_edits_do_not_see_each_other() -> None:
    """An edit looks for its old text in the reference, not in what an earlier edit wrote."""
    variant = Variant("exchange", (("import math", "import cmath"), ("math.pi", "cmath.pi")))
    assert variant.apply(REFERENCE).count("cmath") == 2
    with pytest.raises(CourseError, match="occurs 0 times"):
        Variant("chain", (("**2", "**3"), ("**3", "**4"))).apply(REFERENCE)


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        (Variant("x", (("nowhere", "a"),)), "x: the text to edit occurs 0 times, not once: nowhere"),
        (Variant("x", (("radius", "r"),)), "occurs 6 times, not once: radius"),
        (Variant("x", (("", "r"),)), "occurs 0 times, not once: ''"),
        (Variant("x", (("return 1", "return 2"), ("return 1", "return 3"))), "its edits overlap"),
        (
            Variant("x", (("return 1", "return 2"),), replaces=("last", "def last(): pass")),
            "its edits overlap",
        ),
        (Variant("x", replaces=("square", "def square(): pass")), "square is defined 0 times"),
        (Variant("x", replaces=("Circle.edge", "def edge(): pass")), "Circle.edge is defined 0 times"),
    ],
)
def test_edits_that_do_not_fit(variant: Variant, said: str) -> None:
    """An edit that does not fit exactly once is an error that names the variant."""
    with pytest.raises(CourseError) as caught:
        variant.apply(REFERENCE)
    assert said in caught.value.what
    assert caught.value.fix


def test_errors_name_the_room(course_root: Path) -> None:
    """An edit that no longer fits is told with room and id."""
    toy = toy_room(course_root)
    toy.solution.write_text(
        toy.solution.read_text().replace("text.lower().split()", "text.casefold().split()")
    )
    found = {variant.id: variant for variant in toy.misconceptions()}
    with pytest.raises(
        CourseError, match="1_text/count_words: case-matters: the text to edit occurs 0 times"
    ):
        found["case-matters"].apply(toy.reference())


def test_a_replaced_function() -> None:
    """A top-level function is replaced as a whole; the lines around it stay."""
    new = Variant("x", replaces=("area", "def area(radius):\n    return 0")).apply(REFERENCE)
    assert new == REFERENCE.replace("    return math.pi * radius**2\n", "    return 0\n")


def test_a_replaced_method() -> None:
    """A method is replaced with its decorators, and the new source is indented to fit."""
    new = Variant("x", replaces=("Circle.area", "\n    def area(self):\n        return 0\n\n")).apply(
        REFERENCE
    )
    method = "    @property\n    def area(self):\n        return area(self.radius)\n"
    assert new == REFERENCE.replace(method, "    def area(self):\n        return 0\n")


def test_a_replaced_class_and_the_last_lines() -> None:
    """A class, and the last definition of a file without a final line end, can be replaced."""
    assert (
        "radius" not in Variant("x", replaces=("Circle", "Circle = None")).apply(REFERENCE).split("\n\n\n")[2]
    )
    bare = REFERENCE.rstrip("\n")
    new = Variant("x", replaces=("last", "def last():\n    return 2\n")).apply(bare)
    assert new == bare.replace("return 1", "return 2")


def test_joined_edits() -> None:
    """A pair makes both changes, whichever comes first."""
    a, b = Variant("a", (("**2", "**3"),)), Variant("b", replaces=("last", "def last():\n    return 2"))
    pair = joined([a, b], REFERENCE)
    assert pair == b.apply(a.apply(REFERENCE))
    assert joined([b, a], REFERENCE) == pair
    assert joined([b], REFERENCE) == b.apply(REFERENCE)


def test_three_at_once() -> None:
    """So do three."""
    changes = [("**2", "**3"), ("math.pi", "3"), ("return 1", "return 2")]
    several = [Variant(f"v{number}", (change,)) for number, change in enumerate(changes)]
    whole = Variant("all", tuple(changes)).apply(REFERENCE)
    assert joined(several, REFERENCE) == whole


def test_changes_of_one_line_that_leave_each_other_alone() -> None:
    """What an edit copies from the line for its place in it does not keep another edit out."""
    a = Variant("a", (("return math.pi * radius**2", "return 3 * radius**2"),))
    b = Variant("b", (("math.pi * radius**2", "math.pi * radius**3"),))
    joint = joined([a, b], REFERENCE)
    assert joint is not None
    assert "return 3 * radius**3\n" in joint


def test_a_word_is_changed_as_a_whole() -> None:
    """Two new names for one name cannot be joined, although they change different letters of it."""
    a, b = Variant("a", (("radius**2", "radium**2"),)), Variant("b", (("radius**2", "Radius**2"),))
    assert joined([a, b], REFERENCE) is None


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (Variant("a", (("math.pi *", "3 +"),)), Variant("b", (("pi * radius", "pi - radius"),))),
        (Variant("a", (("**2", "**3"),)), Variant("b", (("**2", "**4"),))),
        (Variant("a", (("**2", "**3"),)), Variant("b", replaces=("area", "def area(radius): pass"))),
        (Variant("a", replaces=("Circle", "Circle = 1")), Variant("b", replaces=("Circle.area", "area = 1"))),
    ],
)
def test_pairs_that_touch_the_same_text(a: Variant, b: Variant) -> None:
    """A pair whose changes overlap does not exist."""
    assert joined([a, b], REFERENCE) is None
    assert joined([b, a], REFERENCE) is None


def test_neighbours_can_be_joined() -> None:
    """Edits that touch without overlapping can be joined."""
    pair = joined([Variant("a", (("math.pi", "3"),)), Variant("b", ((" * radius**2", ""),))], REFERENCE)
    assert pair is not None
    assert "    return 3\n" in pair


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Variant("No Id", (("a", "b"),)), "'No Id' is no id"),
        (lambda: Variant("x"), "nothing is changed"),
        (lambda: Variant("x", ("a", "b")), "edits are not pairs"),  # type: ignore[arg-type]
        (lambda: Variant("x", (("a", "b", "c"),)), "edits are not pairs"),  # type: ignore[arg-type]
        (lambda: Variant("x", replaces="f"), "replaces is not a pair"),  # type: ignore[arg-type]
        (lambda: named(says=" "), "it says nothing"),
        (lambda: named(hint="whisper"), "there is no hint 'whisper'"),
        (lambda: named(keeps=(0.5, 0.2)), "keeps is"),
        (lambda: named(keeps=(0.5, 1.2)), "keeps is"),
        (lambda: named(keeps=0.5), "keeps is"),
    ],
)
def test_wrong_variants(made, said: str) -> None:
    """A variant that cannot be right is refused where it is written."""
    with pytest.raises(CourseError) as caught:
        made()
    assert said in caught.value.what


def named(**changes: object) -> Misconception:
    fields = {"says": "It is wrong.", "hint": "nudge", "keeps": (0.0, 1.0), **changes}
    return Misconception("x", (("a", "b"),), **fields)  # type: ignore[arg-type]


# misconceptions.py


def test_misconceptions_and_trivial_answers() -> None:
    """Both lists are read, and know their room."""
    toy = toy_room(TOY)
    assert [each.id for each in toy.misconceptions()][:2] == ["case-matters", "single-blanks"]
    assert all(isinstance(each, Trivial) and each.room == "1_text/count_words" for each in toy.trivial())


HEAD = "from softmarks.course.rooms import Misconception, Trivial\n"


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("", "MISCONCEPTIONS is not a list of Misconception", None),
        ("MISCONCEPTIONS = [1]", "MISCONCEPTIONS is not a list of Misconception", None),
        (f"{HEAD}MISCONCEPTIONS = [Trivial('x', (('a', 'b'),))]", "not a list of Misconception", None),
        ("MISCONCEPTIONS = [", "the file is no Python", 1),
        ("\nimport nothing_of_this_name", "ModuleNotFoundError", 2),
        (f"{HEAD}\nMISCONCEPTIONS = [Misconception('x', (('a', 'b'),))]", "TypeError", 3),
        (f"{HEAD}\n\nTRIVIAL = [Trivial('x')]", "x: nothing is changed", 4),
        (
            f"{HEAD}a = Misconception('x', (('a', 'b'),), says='s', hint='line', keeps=(0, 1))\n"
            "MISCONCEPTIONS = [a, a]",
            "x is listed twice",
            None,
        ),
    ],
)
def test_wrong_misconception_files(course_root: Path, text: str, said: str, line: int | None) -> None:
    """What is wrong in misconceptions.py is told with file and line."""
    toy = toy_room(course_root)
    toy.misconceptions_file.write_text(text)
    with pytest.raises(CourseError) as caught:
        toy.misconceptions()
    assert caught.value.where == toy.misconceptions_file
    assert said in caught.value.what
    assert caught.value.line == line


@pytest.mark.parametrize("each", rooms(COURSE, TOY), ids=lambda each: each.exercise.name)
def test_toy_variants_differ(each: Room) -> None:
    """Every variant of the toy course is a program, and no two are the same."""
    reference = each.reference()
    texts = [variant.apply(reference) for variant in (*each.misconceptions(), *each.trivial())]
    for text in texts:
        compile(text, each.address, "exec")
    assert len({reference, *texts}) == len(texts) + 1


# What a course still lacks


def test_the_toy_course_is_complete() -> None:
    """The toy course lacks nothing."""
    assert problems(COURSE, TOY) == []


COUNT = "graders/1_text/count_words"


def all_defined(stubs: list[Path]) -> list[Imported]:
    """What importing stubs gives when nothing is wrong with them."""
    answers = {name for exercise in COURSE.exercises for name in exercise.answers}
    return [Imported(frozenset(answers), "") for _ in stubs]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("course.yml", "caesar", "string", "the exercise string has the name of a package"),
        ("course.yml", "packages: []", "packages: [caesar]", "the exercise caesar has the name of a package"),
        ("course.yml", "caesar", "yaml", "the exercise yaml has the name of a package"),
        ("solutions/1_text/count_words.py", "# # Count", "# Count", "does not begin with its statement"),
        ("solutions/1_text/count_words.py", "### BEGIN SOLUTION", "#", "nothing is left to the student"),
        ("solutions/1_text/count_words.py", "def count_words", "def count_all", "count_words is not defined"),
        ("solutions/1_text/count_words.py", None, None, "there is no such file"),
        (f"{COUNT}/test_public.py", None, None, "test_public.py: there is no such file"),
        (
            f"{COUNT}/test_public.py",
            "import pytest",
            "import pytest, graders",
            "public suite imports graders",
        ),
        (
            f"{COUNT}/test_public.py",
            "mark.edges",
            "mark.edge",
            'there is no kind "edge". Did you mean "edges"?',
        ),
        (f"{COUNT}/test_public.py", "@pytest.mark.edges\n", "", "has 0 kinds, not one"),
        (f"{COUNT}/test_public.py", "@pytest.mark.edges", "@pytest.mark.skip", 'there is no kind "skip"'),
        (
            f"{COUNT}/test_public.py",
            '    """A text without words gives an empty dictionary."""\n',
            "",
            "test_an_empty_text_has_no_words has no docstring",
        ),
        (f"{COUNT}/test_public.py", "def test_", "def check_", "the suite has no check"),
        (f"{COUNT}/test_public.py", "def ", "deff ", "the suite is no Python"),
        (
            f"{COUNT}/test_hidden.py",
            "test_case_does_not_matter",
            "test_each_word_is_counted",
            "is defined twice",
        ),
        (
            f"{COUNT}/test_hidden.py",
            'needs("test_each',
            'needs("test_every',
            "there is no check test_every_word",
        ),
        (
            f"{COUNT}/misconceptions.py",
            "MISCONCEPTIONS = [",
            "MISCONCEPTIONS = []\nX = [",
            "MISCONCEPTIONS is empty",
        ),
        (f"{COUNT}/misconceptions.py", "TRIVIAL = [", "TRIVIAL = []\nX = [", "TRIVIAL is empty"),
        (f"{COUNT}/misconceptions.py", '"nothing"', '"case-matters"', "case-matters is listed twice"),
        (
            f"{COUNT}/misconceptions.py",
            '"text.split()"',
            '"text.split("',
            "case-matters: the edited solution is no Python",
        ),
        (
            f"{COUNT}/misconceptions.py",
            '"text.split()"',
            '"text.lower().split()"',
            "case-matters changes nothing",
        ),
        (f"{COUNT}/misconceptions.py", '"text.lower().split()"', '"text.upper()"', "occurs 0 times"),
        (
            f"{COUNT}/alternatives/counter.py",
            "def count_words",
            "def count",
            "counter.py: count_words is not defined",
        ),
        (
            f"{COUNT}/alternatives/counter.py",
            "def count_words",
            "deff count_words",
            "counter.py:6: the file is no Python",
        ),
        (f"{COUNT}/hints.md", "## Line", "## Lines", "the headings are nudge, formula"),
        (f"{COUNT}/explanation.md", None, "\n", "the explanation is empty"),
        (f"{COUNT}/explanation.md", None, None, "explanation.md: there is no such file"),
        ("exercises/1_text/caesar.py", None, None, "caesar.py: there is no stub. Run softmarks build"),
        (
            "exercises/1_text/caesar.py",
            "import ALPHABET",
            "import LETTERS",
            "the stub does not import: ImportError",
        ),
        ("exercises/1_text/caesar.py", "def decode", "def decoded", "the stub does not define decode"),
        (f"{COUNT}/helpers.py", None, "x = 1\n", "helpers.py: the file belongs to no exercise"),
        ("solutions/1_text/old.py", None, "x = 1\n", "old.py: the file belongs to no exercise"),
        ("exercises/3_more/more.py", None, "x = 1\n", "more.py: the file belongs to no exercise"),
    ],
)
def test_what_is_not_complete(
    course_root: Path, file: str, old: str | None, new: str | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thing that is missing or wrong is told with its file and what to do."""
    path = course_root / file
    if new is None:
        path.unlink()
    elif old is None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(new)
    else:
        text = path.read_text()
        assert old in text
        everywhere = old in ("caesar", "def test_", "### BEGIN SOLUTION")
        path.write_text(text.replace(old, new, -1 if everywhere else 1))
    if not file.startswith("exercises/"):  # importing stubs takes a process
        monkeypatch.setattr(completeness, "imported", all_defined)
    course = load_course(course_root) if file == "course.yml" else COURSE
    found = problems(course, course_root)
    assert any(said in problem and problem.startswith(str(course_root)) for problem in found), found


def test_no_alternative(course_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room without a right answer written otherwise is not complete."""
    monkeypatch.setattr(completeness, "imported", all_defined)
    shutil.rmtree(course_root / COUNT / "alternatives")
    found = problems(COURSE, course_root)
    assert [f"{course_root / COUNT / 'alternatives'}: there is no alternative"] == [
        problem.split(". ")[0] for problem in found
    ]


def test_importing_takes_nothing_from_the_folder_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who audits a course may stand among students' work."""
    (tmp_path / "json.py").write_text("open('imported', 'w').close()\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "stub.py").write_text("import json\n\nx = json.dumps(1)\n")
    monkeypatch.chdir(tmp_path)
    (found,) = imported([tmp_path / "own" / "stub.py"])
    assert "x" in found.names
    assert not (tmp_path / "imported").exists()
