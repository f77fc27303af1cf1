"""What the documents say is so: commands run, files exist, links lead somewhere."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from pydantic import BaseModel, Field, create_model

from docs.make_reference import course_file
from softmarks.course.course import (
    Assignment,
    AuditBars,
    Course,
    Exercise,
    Kind,
    Late,
    LearningOutcome,
    Limits,
    Track,
    load_course,
)
from softmarks.course.rooms import room
from softmarks.course.sheets import read_sheet
from softmarks.course.working_copy import begin
from tests.conftest import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "examples/classroom/README.md"]
ADDRESSES = re.compile(r"\]\((?!https?:)([^)#]+)")
ELSEWHERE = (
    "softmarks grade",
    "softmarks regrade",
    "softmarks review",
    "softmarks override",
    "softmarks oral",
    "compare50",
    "softmarks audit",
    "softmarks new",
    "softmarks release",
    "softmarks export",
    "softmarks forget",
    "softmarks lock",
    "softmarks nbgrader",
    "softmarks start",
    "softmarks read",
    "softmarks hint",
    "softmarks watch",
    "softmarks submit",
    "softmarks debug",
    "softmarks doctor",
    "make",
)  # run by tests of their own
BLOCKS = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)


def commands():
    """The softmarks commands in the documents' code blocks, without comments."""
    found = {}
    for document in DOCUMENTS:
        for language, block in BLOCKS.findall(document.read_text(encoding="utf-8")):
            for line in block.splitlines() if language in ("", "console") else ():
                command = line.removeprefix("$ ").split("  #")[0].strip()
                if re.match(r"(softmarks( |$)|make )", command):
                    found[command] = document.name
    return found


@pytest.mark.parametrize("command", [command for command in commands() if not command.startswith(ELSEWHERE)])
def test_a_documented_command_runs(command, tmp_path):
    """It ends as documented: with 0, or with 1 where a stub is checked that nobody has filled in."""
    answer = next((ROOT / "graders/4_causal/causal_mask/alternatives").glob("*.py"))
    shutil.copy(answer, tmp_path / "answer.py")
    words = [str(tmp_path / "answer.py") if word == "FILE" else word for word in shlex.split(command)]
    words[0] = str(Path(sys.executable).with_name("softmarks"))
    here = ROOT
    if words[1:2] in (["check"], ["show"]):
        here = begin(load_course(ROOT), ROOT, tmp_path / "copy", None, str(ROOT)).folder
    done = subprocess.run(words, capture_output=True, text=True, cwd=here)
    assert done.returncode == (1 if "check" in words else 0), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [command for command in commands() if command.startswith("make")])
def test_a_documented_target_exists(command):
    """Every `make` in the documents is a target."""
    subprocess.run(["make", "--dry-run", command.split()[1]], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    """A relative link names a file that is there."""
    for address in ADDRESSES.findall(document.read_text(encoding="utf-8")):
        assert (document.parent / address).exists(), address


def test_every_erratum_holds():
    """Each number on the page of errata is what its example gives."""
    module = str(ROOT / "docs" / "errata.md")
    done = subprocess.run([sys.executable, "-m", "doctest", module], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_module_is_in_the_picture():
    """docs/architecture.md says what each module of the engine is for."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    modules = {path.name for path in (ROOT / "src/softmarks").rglob("*.py")} - {"__init__.py", "main.py"}
    reporting_and_cli = {
        path.name for part in ("reporting", "cli") for path in (ROOT / f"src/softmarks/{part}").glob("*.py")
    }
    assert [name for name in sorted(modules - reporting_and_cli) if f"`{name}`" not in text] == []


def test_the_documented_program_runs(own_cache, tmp_path, monkeypatch):
    """What the README says of `mark`, with an answer that has a name."""
    place = room(load_course(ROOT), ROOT, "causal_mask")
    wrong = next(one for one in place.misconceptions() if one.id == "diagonal_blocked")
    answer = tmp_path / "my_answer.py"
    answer.write_text(wrong.apply(place.reference()))
    blocks = BLOCKS.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    [program] = [text for language, text in blocks if language == "python"]
    monkeypatch.chdir(ROOT)
    seen = {}
    exec(program.replace("my_answer.py", str(answer)), seen)
    assert seen["verdict"].mistakes == ("diagonal_blocked",)
    assert 0 < seen["verdict"].points < seen["verdict"].max_points


def test_the_documented_question_sheet_can_be_read(tmp_path):
    """As it is printed in the author's guide."""
    blocks = BLOCKS.findall((ROOT / "docs" / "author.md").read_text(encoding="utf-8"))
    [sheet] = [text for language, text in blocks if language == "yaml" and "questions:" in text]
    (tmp_path / "sheet.yml").write_text(sheet)
    assert [item.id for item in read_sheet(tmp_path / "sheet.yml").asked] == ["pairs", "in_words"]


def test_every_dependency_has_its_reason():
    """docs/architecture.md names each distribution that pyproject.toml asks for."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    names = {re.split(r"[><=; ]", line)[0] for line in wanted if not line.startswith("types-")}
    assert [name for name in sorted(names) if name not in text] == []


class Wordless(BaseModel):
    """A section whose key has no words."""

    key: str


class Speechless(BaseModel):
    key: str = Field(description="a key of a section without words")


def containing(section):
    return create_model("Whole", __doc__="A whole.", section=(section, Field(description="a section")))


def test_every_key_of_a_course_file_has_its_row():
    """docs/course-file.md has a row for each key of each model, except the one that is filled in."""
    page = course_file(Course)
    for section in (Course, Limits, Late, AuditBars, Kind, LearningOutcome, Track, Assignment, Exercise):
        for key, field in section.model_fields.items():
            told = re.search(rf"^\| `{key}` \| .+ \| {re.escape(field.description)} \|$", page, re.M)
            assert told or key == "assignment", (section, key)


@pytest.mark.parametrize(
    ("section", "what"),
    [(Wordless, "Wordless.key has no description"), (Speechless, "Speechless has no docstring")],
)
def test_a_key_without_words_is_no_page(section, what):
    """A key or a section that nobody has described cannot be printed."""
    with pytest.raises(ValueError, match=what):
        course_file(containing(section))


def test_the_generated_pages_are_those_of_today():
    """They are what the commands, course.yml and the models of course.yml say."""
    command = [sys.executable, "-m", "docs.make_reference", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_site_is_built_without_a_warning(tmp_path):
    """Every page has its place, every link and anchor leads somewhere."""
    command = [Path(sys.executable).with_name("mkdocs"), "build", "--strict", "--site-dir", tmp_path / "site"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "instructor" / "index.html").is_file()
