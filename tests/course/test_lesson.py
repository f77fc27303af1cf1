"""Stubs printed from solutions, and a build that never overwrites a person's work."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.lesson import build
from softmarks.course.stub import stub_source
from softmarks.errors import CourseError, UsageError

REPOSITORY = Path(__file__).parents[2]
TOY = REPOSITORY / "tests" / "courses" / "toy"
COURSE = load_course(TOY)
WORDS = "1_text/count_words.py"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the toy course, to change."""
    return shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))


def stub_of(tmp_path: Path, text: str) -> str:
    solution = tmp_path / "solution.py"
    solution.write_text(text, encoding="utf-8")
    return stub_source(solution, COURSE.exercises[0])


BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def test_a_region_in_a_function_raises_its_name(tmp_path: Path) -> None:
    """In a function the region becomes an error with the function's name and the author's words."""
    text = (
        f'# %%\ndef f(x):\n    """D."""\n    y = x\n    {BEGIN} return twice y\n    return 2 * y\n    {END}\n'
    )
    assert stub_of(tmp_path, text) == (
        '# %%\ndef f(x):\n    """D."""\n    y = x\n    raise NotImplementedError("f: return twice y")\n'
    )


def test_a_region_without_words(tmp_path: Path) -> None:
    """Without words of the author the error says that code goes here."""
    stub = stub_of(tmp_path, f"# %%\ndef f(x):\n    {BEGIN}\n    return 2 * x\n    {END}\n")
    assert 'raise NotImplementedError("f: your code goes here")' in stub


def test_methods_are_named_with_their_class(tmp_path: Path) -> None:
    """Each region of a class is cleared for itself, and names Class.method."""
    stub = stub_of(
        tmp_path,
        f"# %%\nclass A:\n    def f(self):\n        {BEGIN} one\n        return 1\n        {END}\n\n"
        f"    def g(self):\n        {BEGIN} two\n        return 2\n        {END}\n        return None\n",
    )
    assert stub == (
        '# %%\nclass A:\n    def f(self):\n        raise NotImplementedError("A.f: one")\n\n'
        '    def g(self):\n        raise NotImplementedError("A.g: two")\n        return None\n'
    )


def test_regions_of_an_inner_function(tmp_path: Path) -> None:
    """A region in a function in a function names the outer one, which a student can call."""
    text = f"# %%\ndef f():\n    def g():\n        {BEGIN}\n        return 1\n        {END}\n    return g\n"
    assert 'NotImplementedError("f: ' in stub_of(tmp_path, text)


def test_a_region_at_module_level_is_a_comment(tmp_path: Path) -> None:
    """At module level a region becomes a comment, so that the stub still imports."""
    text = f"# %%\nA = None\n{BEGIN} choose a letter\nA = 'b'\n{END}\n\nB = 1\n{BEGIN}\nB = 2\n{END}\n"
    assert stub_of(tmp_path, text) == "# %%\nA = None\n# choose a letter\n\nB = 1\n# Your code goes here.\n"


def test_words_are_quoted(tmp_path: Path) -> None:
    """Quotes, backslashes and letters of other languages in the author's words are kept."""
    stub = stub_of(tmp_path, f'# %%\ndef f():\n    {BEGIN} say "a\\n" für x\n    return 1\n    {END}\n')
    names: dict[str, object] = {}
    exec(stub, names)
    function = names["f"]
    assert callable(function)
    with pytest.raises(NotImplementedError) as caught:
        function()
    assert str(caught.value) == 'f: say "a\\n" für x'


def test_what_is_no_region_is_printed_as_it_is(tmp_path: Path) -> None:
    """Statement, blank lines, comments and magics are the author's, to the letter."""
    text = (
        "# %% [markdown]\n# # Title\n#\n# - point\n\n# %%\nimport math  # why\n# %timeit math.pi\n\n\n"
        "# %%\ndef f():\n    # BEGIN SOLUTION in words\n    return 1\n\n\n# %%\nx = '''\n\n# no cell\n'''\n"
    )
    assert stub_of(tmp_path, text) == text


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        (f"# %%\n{BEGIN}\nx = 1\n", "the region is not closed", 2),
        (f"# %%\nx = 1\n{END}\n", "a region ends that never began", 3),
        (f"# %%\n{BEGIN}\n{BEGIN}\n{END}\n{END}\n", "a region begins inside the one of line 2", 3),
        (f"# %%\n{BEGIN}\nx = 1\n# %%\n{END}\n", "a cell begins inside the region of line 2", 4),
        (f"# %%\nx = 1  {BEGIN}\n{END}\n", "a region's marker is not on a line of its own", 2),
        (f"# %% [markdown]\n# {BEGIN}\n# {END}\n", "a region's marker is not on a line of its own", 2),
        ("# %%\ndef f(:\n", "the solution is no Python", None),
        (f"# %%\nclass A:\n    {BEGIN}\n    x = 1\n    {END}\n", "is left of count_words without", None),
        (f"# %%\nif True:\n    {BEGIN}\n    x = 1\n    {END}\n", "is left of count_words without", None),
    ],
)
def test_regions_that_cannot_be(tmp_path: Path, text: str, said: str, line: int | None) -> None:
    """A region that is not closed, or leaves no program, is told with the author's file and line."""
    with pytest.raises(CourseError) as caught:
        stub_of(tmp_path, text)
    assert said in caught.value.what
    assert caught.value.line == line
    assert caught.value.where == tmp_path / "solution.py"


def test_printing_is_deterministic() -> None:
    """Two prints are the same bytes, without a header, a cell id or a version."""
    solution = TOY / "solutions" / WORDS
    first = stub_source(solution, COURSE.exercises[0])
    assert first == stub_source(solution, COURSE.exercises[0])
    assert first.startswith("# %% [markdown]\n# # Count the words")
    assert "jupytext" not in first
    assert "count_words: return a dictionary" in first


# Building


def test_committed_stubs_are_what_would_be_printed() -> None:
    """The toy's exercises/ is the printed state of its solutions/."""
    assert build(COURSE, TOY, check=True) == []


def test_a_build_prints_everything(root: Path) -> None:
    """A first build prints each stub and the given code, and records their checksums."""
    committed = {path: path.read_bytes() for path in (root / "exercises").rglob("*") if path.is_file()}
    shutil.rmtree(root / "exercises")
    changes = build(COURSE, root)
    assert {change.path for change in changes} == set(committed)
    assert {path: path.read_bytes() for path in committed} == committed
    assert (root / "exercises/1_text/building_blocks.py").is_file()
    assert build(COURSE, root) == []


def test_a_changed_solution(root: Path) -> None:
    """check shows a unified diff and writes nothing; build writes, once."""
    solution, stub = root / "solutions" / WORDS, root / "exercises" / WORDS
    solution.write_text(solution.read_text().replace("10 minutes", "12 minutes"))
    before = stub.read_text()
    changes = build(COURSE, root, check=True)
    assert [change.path.name for change in changes] == ["count_words.py", ".printed.json"]
    assert "\n-# 10 minutes, about 5 lines.\n+# 12 minutes, about 5 lines.\n" in changes[0].diff
    assert changes[0].diff.startswith(f"--- a/exercises/{WORDS}\n+++ b/exercises/{WORDS}\n")
    assert stub.read_text() == before
    assert len(build(COURSE, root)) == 2
    assert "12 minutes" in stub.read_text()
    assert build(COURSE, root, check=True) == []


def test_a_solution_inside_a_region_changes_no_stub(root: Path) -> None:
    """What is inside a region does not reach the stub."""
    solution = root / "solutions" / WORDS
    solution.write_text(solution.read_text().replace("counts = {}", "counts = dict()"))
    assert build(COURSE, root, check=True) == []


def test_work_of_a_person_is_never_overwritten(root: Path) -> None:
    """A stub that a person edited stops the build before anything is written, and check shows it."""
    mine, other = root / "exercises" / WORDS, root / "exercises/1_text/caesar.py"
    mine.write_text(mine.read_text() + "# mine\n")
    solution = root / "solutions/1_text/caesar.py"
    solution.write_text(solution.read_text().replace("15 minutes", "16 minutes"))
    before = other.read_text()
    assert any("-# mine\n" in change.diff for change in build(COURSE, root, check=True))
    with pytest.raises(UsageError, match=r"count_words\.py: this file was edited by hand"):
        build(COURSE, root)
    assert mine.read_text().endswith("# mine\n")
    assert other.read_text() == before


def test_a_file_that_was_never_recorded_is_a_persons(root: Path) -> None:
    """Without a record, a file that differs from what would be printed is left alone."""
    (root / "exercises/.printed.json").unlink()
    assert [change.path.name for change in build(COURSE, root)] == [".printed.json"]
    (root / "exercises/.printed.json").unlink()
    (root / "exercises" / WORDS).write_text("mine\n")
    with pytest.raises(UsageError, match="edited by hand"):
        build(COURSE, root)


def test_line_ends_of_windows_are_no_edit(root: Path) -> None:
    """A checkout with CRLF line ends counts as unedited."""
    stub = root / "exercises" / WORDS
    stub.write_bytes(stub.read_bytes().replace(b"\n", b"\r\n"))
    assert build(COURSE, root, check=True) == []
    solution = root / "solutions" / WORDS
    solution.write_text(solution.read_text().replace("10 minutes", "12 minutes"))
    build(COURSE, root)
    assert b"\r" not in stub.read_bytes()


def test_a_stub_that_is_no_longer_printed(root: Path) -> None:
    """A recorded stub without an exercise goes away, unless a person edited it; other files stay."""
    notes = root / "exercises/1_text/notes.txt"
    notes.write_text("mine\n")
    text = (root / "course.yml").read_text()
    start, end = text.index("      - name: caesar"), text.index("  - name: 2_numbers")
    shorter = (text[:start] + text[end:]).replace("[count_words, caesar]", "[count_words]")
    (root / "course.yml").write_text(shorter)
    course, stub = load_course(root), root / "exercises/1_text/caesar.py"
    printed = stub.read_text()
    stub.write_text("mine\n")
    with pytest.raises(UsageError, match="caesar"):
        build(course, root)
    stub.write_text(printed)
    changes = build(course, root)
    assert "+++ /dev/null" in changes[0].diff
    assert not stub.exists()
    assert notes.exists()


@pytest.mark.parametrize(("record", "line"), [("{\n<<<<<<< mine\n", 2), ("[1]", None)])
def test_a_damaged_record(root: Path, record: str, line: int | None) -> None:
    """A record that cannot be read is told, with what to do."""
    (root / "exercises/.printed.json").write_text(record)
    with pytest.raises(CourseError, match="Delete it and build again") as caught:
        build(COURSE, root)
    assert caught.value.line == line


def test_a_record_cannot_reach_outside(root: Path) -> None:
    """A path in the record that leads out of exercises/ is refused; nothing is removed there."""
    record = root / "exercises/.printed.json"
    checksums = json.loads(record.read_text())
    record.write_text(json.dumps({**checksums, "../course.yml": "x"}))
    with pytest.raises(CourseError, match="leads out"):
        build(COURSE, root)
    assert (root / "course.yml").exists()
