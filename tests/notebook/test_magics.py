"""%check, %hint, %show and what locked cells call: in a shell of this process, and in a real kernel."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from html.parser import HTMLParser

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.course.sheets import read_sheet
from softmarks.grading.kept_worker import KeptWorker
from softmarks.grading.workers import Worker
from softmarks.notebook.kernel_work import kernel_work
from softmarks.notebook.magics import load
from softmarks.notebook.screens import Stopped
from softmarks.notebook.validating import assert_checked
from tests.conftest import TOY
from tests.notebook import shells
from tests.notebook.made import course_with_everything

shell, terminal = shells.shell, shells.terminal


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return course_with_everything(tmp_path_factory.mktemp("course") / "toy").resolve()


@pytest.fixture(scope="module")
def kept(root, own_cache):
    """A worker that several kernels share, so that each test need not start one."""
    kept = KeptWorker(root)
    yield kept
    kept.close()


@pytest.fixture
def place(root):
    """A room of the course by name."""
    return lambda name: room(load_course(root), root, name)


@pytest.fixture
def here(root, monkeypatch):
    """The course's folder is the notebook's, and the given code lies there too."""
    monkeypatch.chdir(root)
    monkeypatch.syspath_prepend(root / "exercises" / "1_text")


@pytest.fixture
def run(shell, root, kept, here):
    """Run a cell of a notebook: the data that a frontend shows in the end."""
    load(shell)
    kernel_work(shell).worker = kept

    def run(text, cell=None):
        shell.display_pub.outputs.clear()
        assert shell.run_cell(text, store_history=True, cell_id=cell).success
        places = {}
        for number, message in enumerate(shell.display_pub.outputs):  # an update takes the display's place
            places[(message["transient"] or {}).get("display_id", number)] = message["data"]
        return list(places.values())

    return run


class Words(HTMLParser):
    """The words of a piece of HTML."""

    def __init__(self, source):
        super().__init__()
        self.words, self.style = [], False
        self.feed(source)

    def handle_starttag(self, tag, _attributes):
        self.style = tag == "style"

    def handle_data(self, data):
        self.words += [] if self.style else data.split()


def read(source):
    return " ".join(Words(source).words)


def flat(text):
    return " ".join(text.replace("│", "").split())


def wrong(place, number=0):
    """The text of a program with a mistake, and the mistake."""
    mistake = place.misconceptions()[number]
    return mistake.apply(place.reference()), mistake


# --- %check


def test_a_right_answer(run, shell, place):
    """All suites pass: the mark, the checks folded away, and the explanation. One is told to wait before."""
    run(place("count_words").reference())
    verdict, explanation = run("%check count_words")
    assert "all checks passed, 5.00 of 5.00" in read(verdict["text/html"])
    assert "Each word is counted as often as it occurs." in read(verdict["text/html"])
    assert "all checks passed 5.00 of 5.00" in flat(verdict["text/plain"])
    assert explanation["text/markdown"].strip() == place("count_words").explanation().strip()
    first, second, _ = shell.display_pub.outputs
    assert first["data"]["text/plain"].endswith("…")
    assert (first["update"], second["update"]) == (False, True)


def test_a_mistake_has_its_name(run, place):
    """What failed, why, and what to read, in HTML and as a terminal has it: 80 columns and no colours."""
    text, mistake = wrong(place("count_words"), 1)
    run(text)
    (verdict,) = run("%check count_words")
    for told in (read(verdict["text/html"]), flat(verdict["text/plain"])):
        assert "Single blanks" in told
        assert mistake.says in told
        assert "1 of 2 checks passed" in told
        assert "✗ A text without words gives an empty dictionary." in told
    assert max(map(len, verdict["text/plain"].splitlines())) == 80
    assert "\x1b" not in verdict["text/plain"]
    assert "<img" not in verdict["text/html"]  # this exercise has no picture


def test_cells_count_as_in_a_notebook(run, shell, place):
    """What stands above the command counts, and what comes after an error; others' commands are told."""
    shell.run_cell("1 / 0", store_history=True)
    shell.run_cell("x = (", store_history=True)
    shell.run_cell("%%capture\n!true", store_history=True)
    verdict, _ = run(f"{place('count_words').reference()}\n%check count_words")
    repairs = [line.strip() for line in verdict["text/plain"].splitlines() if "Repaired" in line]
    assert repairs == [
        "Repaired: dropped 2 notebook commands: %%capture, !true",
        "Repaired: left out cell 2, which is not Python: '(' was never closed, line 1",
    ]


def test_the_last_text_of_a_cell_counts(run, place):
    """With ids from the frontend a cell that was mended is checked as it is now."""
    right = place("count_words").reference()
    run("import re", "first")
    broken = right.replace("counts = {}", "counts = wrod")
    run(broken, "answer")
    (verdict,) = run("%check count_words", "check")
    line = broken.splitlines().index("    counts = wrod") + 1
    assert f"(line {line} of your cell 2: counts = wrod)" in flat(verdict["text/plain"])
    run(right, "answer")
    verdict, _ = run("%check count_words", "check")
    assert "all checks passed" in verdict["text/plain"]
    assert "Repaired" not in verdict["text/plain"]


def test_without_a_name_what_is_defined_is_checked(run, place):
    """All that is whole, or the one that is begun; what is imported from given code is not one's own."""
    assert "nothing that an exercise asks for is defined" in run("%check")[0]["text/plain"]
    run("from building_blocks import ALPHABET as encode")
    assert "nothing that an exercise asks for is defined" in run("%check")[0]["text/plain"]
    run("def encode(text, shift):\n    return text")
    (verdict,) = run("%check")
    assert verdict["text/plain"].startswith("caesar")
    run(place("count_words").reference())
    (verdict,) = run("%check")
    assert verdict["text/plain"].startswith("count_words")
    run(place("caesar").reference())
    assert [verdict["text/plain"].split()[0] for verdict in run("%check")] == ["count_words", "caesar"]


def test_without_a_name_and_two_begun(run):
    """Nobody guesses."""
    run("def encode(text, shift):\n    return text")
    run("ANSWERS = {}")
    (words,) = run("%check")
    assert words == {
        "text/plain": "softmarks: this could be caesar or quiz. Name the exercise, such as caesar"
    }


@pytest.mark.parametrize("command", ["check", "hint", "show"])
def test_a_wrong_name_is_one_line(run, command):
    """The near name, and no traceback."""
    (words,) = run(f"%{command} ceasar")
    assert words == {"text/plain": 'softmarks: there is no exercise "ceasar". Did you mean "caesar"?'}


def test_answers_in_words_are_not_here(run, place):
    """A sheet's text cells never reach a kernel: what they answer is not called unwritten."""
    sheet = read_sheet(place("quiz").sheet)
    run('ANSWERS = {"first": "a"}')
    (verdict,) = run("%check quiz")
    assert sheet.questions[0].wrong["a"] in read(verdict["text/html"])
    assert "not written yet" not in verdict["text/plain"]
    run('ANSWERS = {"first": "b"}')
    verdict, explanation = run("%check quiz")
    assert "text cells, which are read when you hand in" in read(verdict["text/html"])
    assert sheet.free[0].answer in explanation["text/markdown"]
    run('FREE_ANSWERS = {"why": ""}')
    (verdict,) = run("%check quiz")
    assert "not written yet" in verdict["text/plain"]


# --- %show, and pictures of what failed


def test_a_picture(run, place, tmp_path):
    """An image that says in words what it shows, and the drawing of a terminal; or a file."""
    run(wrong(place("caesar"))[0])
    (picture,) = run("%show caesar")
    assert picture["image/png"].startswith("iVBOR")
    assert "4 values differ" in flat(picture["text/plain"])
    assert "✗" in picture["text/plain"]
    assert run(f"%show caesar {tmp_path}/my picture.png") == [
        {"text/plain": f"wrote {tmp_path}/my picture.png"}
    ]
    assert (tmp_path / "my picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_says_how_wide_it_is_and_what_it_shows(run, shell, place):
    """A frontend gets a width that is easy to read, and words for those who do not see."""
    run(wrong(place("caesar"))[0])
    run("%show caesar")
    about = shell.display_pub.outputs[-1]["metadata"]["image/png"]
    assert about == {"width": 907, "alt": "Where letters go: 4 values differ"}


def test_a_failure_is_pictured(run, place, monkeypatch):
    """Beside the checks that failed, also without matplotlib, and not where all passed."""
    run(wrong(place("caesar"))[0])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (verdict,) = run("%check caesar")
    assert '<span class="bad">4 values differ</span>' in verdict["text/html"]
    assert 'wrong">' in verdict["text/html"]
    assert "<details open>" in verdict["text/html"]
    (picture,) = run("%show caesar")
    assert list(picture) == ["text/plain"]
    monkeypatch.undo()


def test_what_cannot_be_shown(run):
    """An exercise without a picture."""
    (words,) = run("%show count_words")
    assert words["text/plain"].startswith("softmarks: count_words has no picture. %check count_words")


# --- %hint


def test_hints_come_one_by_one(run, place):
    """From the first to the last, all so far in a notebook; the last one stays."""
    hints = list(place("count_words").hints().values())
    for number in (1, 2, 3, 3):
        (hint,) = run("%hint count_words")
        text = hint["text/markdown"]
        assert [f"Hint {n} of 3" in text for n in (1, 2, 3)] == [n <= number for n in (1, 2, 3)]
        assert [one in text for one in hints] == [n <= number for n in (1, 2, 3)]
        assert "Hints are free" in text
        assert ("gives the next one" in text) == (number < 3)
        assert f"Hint {number} of 3" in hint["text/plain"]
        assert f"Hint {number - 1} of 3" not in hint["text/plain"]


def test_the_hint_for_a_mistake_comes_first(run, place):
    """The one that the last verdict gave with the mistake's name, then the others in their order."""
    text, mistake = wrong(place("count_words"), 1)
    hints = place("count_words").hints()
    assert mistake.hint == "formula"
    run(text)
    run("%check count_words")
    for name in ("formula", "nudge", "line"):
        (hint,) = run("%hint count_words")
        before_last = hint["text/markdown"].split("**Hint ")[-1]
        assert hints[name] in before_last


def test_a_sheet_has_no_hints(run):
    """A wrong choice is explained by the check."""
    (words,) = run("%hint quiz")
    assert words == {"text/plain": "softmarks: quiz has no hints. %check quiz explains what is wrong"}


# --- the worker


@pytest.fixture
def own(run, shell, root):
    """A worker of this test's own."""
    own = kernel_work(shell).worker = KeptWorker(root)
    yield own
    own.close()


def test_a_worker_is_kept_and_replaced_when_it_died(run, own, place):
    """The second check finds the worker of the first; after its death another one answers."""
    run(place("count_words").reference())
    run("%check count_words")
    process = own.worker.process
    run("%check count_words")
    assert own.worker.process is process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert "all checks passed" in run("%check count_words")[0]["text/plain"]
    assert own.worker.process is not process


def test_who_does_not_wait_can_go_on(run, own, shell, place, monkeypatch, capsys):
    """An interrupt ends the worker, is told in a line, and the next check starts another one."""
    run(place("count_words").reference())
    run("%check count_words")
    process = own.worker.process

    def stopped(*_arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Worker, "mark", stopped)
        result = shell.run_cell("%check count_words", store_history=True)
    assert isinstance(result.error_in_exec, Stopped)
    out = capsys.readouterr().out
    assert "Stopped. You can go on" in out
    assert "Traceback" not in out
    assert process.poll() is not None
    assert "all checks passed" in run("%check count_words")[0]["text/plain"]


def test_a_fault_of_the_grader_is_one_line(run, own, place, monkeypatch):
    """A worker that dies in the middle is told, in the place of what one waited for."""
    run(place("count_words").reference())
    monkeypatch.setattr(Worker, "mark", lambda worker, *_: worker.process.kill() or worker._hear())
    assert run("%check count_words") == [
        {"text/plain": "softmarks: a grading process died: without a word"},
    ]
    assert own.worker is None


# --- the course


def test_a_student_edition_beside_the_notebook(shell, tmp_path, monkeypatch):
    """checks.zip in the folder is the course, whatever else is near."""
    (tmp_path / "course.yml").write_text("no course\n")
    with zipfile.ZipFile(tmp_path / "checks.zip", "w") as packed:
        for path in sorted(TOY.rglob("*")):
            packed.write(path, path.relative_to(TOY))
    monkeypatch.chdir(tmp_path)
    load(shell)
    assert shell.display_pub.outputs == []
    assert kernel_work(shell).course.id == "toy"


def test_the_course_stays(run, place, tmp_path, monkeypatch):
    """A notebook that goes to another folder, for its data, is in the same course as before."""
    run(place("count_words").reference())
    monkeypatch.chdir(tmp_path)
    assert "all checks passed" in run("%check count_words")[0]["text/plain"]


def test_what_is_missing_is_told_at_once(shell, tmp_path, monkeypatch):
    """A package of the course that this kernel has not, and how to install it."""
    shutil.copy(TOY / "course.yml", tmp_path)
    text = (tmp_path / "course.yml").read_text()
    (tmp_path / "course.yml").write_text(text.replace("packages: []", "packages: [nosuchpackage]"))
    monkeypatch.chdir(tmp_path)
    load(shell)
    assert [message["data"]["text/plain"] for message in shell.display_pub.outputs] == [
        "softmarks: the course needs nosuchpackage, which is not installed. Run %pip install nosuchpackage"
    ]


def test_without_a_course(shell, tmp_path, monkeypatch):
    """What to do is said in words for a notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("softmarks.course.finding.entry_points", lambda **_: [])
    load(shell)
    assert [message["data"]["text/plain"] for message in shell.display_pub.outputs] == [
        "softmarks: there is no course here. "
        "Open the notebook in the course's folder, or lay its checks.zip beside it"
    ]


def test_softmarks_stays_light():
    """Without the extension, neither IPython nor anything large is imported."""
    code = "import sys, softmarks; print({'IPython', 'torch', 'pydantic', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# --- in a terminal


def test_in_a_terminal(terminal, root, kept, here, place, capsys):
    """Results go to standard output, errors to standard error; a hint is told without those before it."""
    load(terminal)
    kernel_work(terminal).worker = kept

    def run(text):
        assert terminal.run_cell(text, store_history=True).success
        return capsys.readouterr()

    run(wrong(place("caesar"))[0])
    out, err = run("%check caesar")
    assert "No wrap" in out
    assert err == ""
    assert "Where letters go" in run("%show caesar").out
    assert "Hint 1 of 3" in run("%hint caesar").out
    out, err = run("%hint caesar")
    assert "Hint 2 of 3" in out
    assert "Hint 1 of 3" not in out
    assert run("%check ceasar") == (
        "",
        'softmarks: there is no exercise "ceasar". Did you mean "caesar"?\n',
    )


# --- what locked cells call


@pytest.fixture
def validate(run, shell, capsys):
    """Run a locked cell: what it printed, or the words of the error that it raised."""

    def validate(exercise, stage):
        capsys.readouterr()
        cell = (
            f"try:\n    from softmarks.notebook.validating import assert_checked\n"
            f'except ImportError:\n    pass\nelse:\n    assert_checked("{exercise}", "{stage}")'
        )
        result = shell.run_cell(cell, store_history=True)
        out, err = capsys.readouterr()
        assert err == ""
        if result.success:
            return out
        assert isinstance(result.error_in_exec, AssertionError)
        assert out.strip() == str(result.error_in_exec)  # no traceback around it
        return str(result.error_in_exec)

    return validate


def test_a_stage_that_passes(run, validate, place):
    """Its public checks are counted; a stage without any is left to the suite that is hidden."""
    run(place("count_words").reference())
    assert validate("count_words", "works") == "1 check passed\n"
    assert validate("count_words", "is-right") == "1 check passed\n"
    words = "no public check of this stage: graded when you hand in\n"
    assert validate("count_words", "is-robust") == words


def test_a_stage_that_does_not_pass(run, validate, place):
    """What is wrong, in short lines without a traceback, and nothing of the other stages."""
    text, mistake = wrong(place("count_words"), 1)
    run(text)
    assert validate("count_words", "works") == "1 check passed\n"
    told = validate("count_words", "is-right")
    assert told.startswith("1 of 1 check did not pass.\n  asked: count_words('')\n  seen: ")
    assert mistake.says in flat(told)
    assert told.endswith("%check count_words in a cell of your own tells more.")
    assert max(map(len, told.splitlines())) <= 79


def test_what_nothing_explains_is_named_by_its_rule(run, validate):
    """A check that was not reached has no message; its rule is told."""
    run("def count_words(text):\n    return 1 if text else {}")
    assert "each word" in validate("count_words", "works").lower()
    assert "not reached: A text without words" in validate("count_words", "is-right")


def test_checks_run_once_for_all_stages(run, validate, place, monkeypatch):
    """As long as nothing changes; locked cells change nothing."""
    asked = []
    mark = Worker.mark
    monkeypatch.setattr(Worker, "mark", lambda self, *more: asked.append(more) or mark(self, *more))
    run(place("count_words").reference())
    for stage in ("works", "is-right", "is-robust", "works"):
        validate("count_words", stage)
    assert [suite for _, _, suite in asked] == ["public"]
    run("def count_words(text):\n    return {}")
    assert "did not pass" in validate("count_words", "works")
    assert len(asked) == 2


def test_a_sheet_has_one_stage(run, validate):
    """All letters, and no answer in words."""
    run('ANSWERS = {"first": "a"}')
    assert validate("quiz", "answers") == "1 check passed\n"
    run('ANSWERS = {"first": "z"}')
    assert "should be one of a, b, c" in validate("quiz", "answers")


def test_a_wrong_name_in_a_locked_cell(run, validate):
    """An error of ours is an assertion too, in a line."""
    assert validate("ceasar", "works") == ('softmarks: there is no exercise "ceasar". Did you mean "caesar"?')


def test_outside_of_a_notebook():
    """There is nothing that could be checked."""
    with pytest.raises(AssertionError, match="use softmarks check"):
        assert_checked("count_words", "works")


# --- a real kernel


@pytest.mark.filterwarnings("ignore")
def test_a_real_kernel(root, place, own_cache):
    """A notebook from its first cell on: a mistake, hints, the right answer, a wrong name, a locked cell."""
    text, mistake = wrong(place("count_words"), 1)
    cells = [
        "%load_ext softmarks",
        text,
        "print('before')\n%check count_words",
        "%hint count_words",
        "%hint count_words",
        place("count_words").reference(),
        "%check count_words",
        "%check wordcount",
        'from softmarks.notebook.validating import assert_checked\nassert_checked("count_words", "works")',
    ]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(root)}}).execute()
    nbformat.validate(notebook)
    outputs = [cell.outputs for cell in notebook.cells]
    assert [len(one) for one in outputs] == [0, 0, 2, 1, 1, 0, 2, 1, 1]
    assert outputs[2][0].text == "before\n"
    assert mistake.says in read(outputs[2][1].data["text/html"])
    assert "Starting" not in json.dumps(notebook)
    hints = place("count_words").hints()
    assert hints["formula"] in outputs[3][0].data["text/markdown"]
    assert hints["nudge"] in outputs[4][0].data["text/markdown"]
    assert "all checks passed" in outputs[6][0].data["text/plain"]
    assert outputs[7][0].data["text/plain"].startswith('softmarks: there is no exercise "wordcount".')
    assert (outputs[8][0].name, outputs[8][0].text) == ("stdout", "1 check passed\n")
