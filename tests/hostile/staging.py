"""A course with canaries in it, a class of attacks and innocents, and one run of `softmarks grade` on it."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.conftest import ROOT, TOY
from tests.hostile import RIGHT, Attack

SECONDS, MEGABYTES = 1, 512
SEEN = ("neighbours", "written", "output", "status", "seconds", "left_running", "before", "after")
PR_SET_CHILD_SUBREAPER = 36
CANARY = "CANARY-of-"  # begins what nobody may see
EXPECTED = "canarythatisexpected"  # an answer that nobody gives
TOLD = 60  # a suite's words for a text that it asks about are cut here
WORDS = tuple("".join(random.Random(number).choices("bcdfghjklm", k=9)) for number in range(400))
HIDDEN = f'''

# {CANARY}the-suite
SECRET = "{CANARY}the-suite"
WORDS = {" ".join(WORDS)!r}


@pytest.mark.behaviour
def test_a_long_text(student):
    """The words of a long text are counted."""
    assert_equal(student.count_words(WORDS), dict.fromkeys(WORDS.split(), 1), what="the counts")
'''
HIDDEN_CAESAR = f'''

@pytest.mark.behaviour
@pytest.mark.needs("test_letters_move_on")
def test_a_canary(student):
    """Letters move on in longer texts."""
    assert_equal(student.encode({"".join(chr((ord(c) - 98) % 26 + 97) for c in EXPECTED)!r}, 1), {EXPECTED!r})
'''


def copy_of_toy(root: Path) -> None:
    """The toy course with narrow limits, and a canary in each hidden place."""
    shutil.copytree(TOY, root)
    settings = root / "course.yml"
    settings.write_text(re.sub(r"cpu_seconds: \d+", f"cpu_seconds: {SECONDS}", settings.read_text()))
    text = root / "graders" / "1_text"
    for suite, more in (("count_words", HIDDEN), ("caesar", HIDDEN_CAESAR)):
        with (text / suite / "test_hidden.py").open("a") as file:
            file.write(more)
    for path in (text / "count_words").glob("misconceptions.py"):
        path.write_text(f"{path.read_text()}\n# {CANARY}a-misconception\n")
    for path in (root / "solutions").glob("*/*.py"):
        begins = r"(### BEGIN SOLUTION.*\n)( *)"
        path.write_text(re.sub(begins, rf"\1\2# {CANARY}the-solution\n\2", path.read_text()))


def copy_of_the_course(root: Path) -> None:
    """This repository's course with narrow limits; which mistakes are known is not asked."""
    for name in ("graders", "solutions", "exercises"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "course.yml").read_text()
    text = re.sub(r"(?m)^  cpu_seconds: \d+", f"  cpu_seconds: {SECONDS}", text)
    (root / "course.yml").write_text(text.replace("name_mistakes: true", "name_mistakes: false"))


def innocent(number: int) -> dict[str, bytes]:
    """A neighbour's right work for all of the toy course."""
    own = f"# {CANARY}neighbour-{number}\n".encode()
    numbers = TOY / "graders" / "2_numbers" / "running_mean" / "alternatives" / "keeps_numbers.py"
    return {
        "count_words.py": own + RIGHT,
        "caesar.py": (TOY / "solutions" / "1_text" / "caesar.py").read_bytes(),
        "running_mean.py": numbers.read_bytes(),
    }


def innocent_with_tensors(_number: int) -> dict[str, bytes]:
    """A neighbour's right work for the exercise with tensors."""
    (one, *_) = sorted((ROOT / "graders/4_causal/causal_mask/alternatives").glob("*.py"))
    return {"causal_mask.py": one.read_bytes()}


@dataclass
class Run:
    """A class that was graded: where things lie, what was said, what was there before and after."""

    folder: Path
    course: str
    attacks: Sequence[Attack]
    neighbours: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    output: str = ""
    status: int = -1
    seconds: float = 0.0
    left_running: list[str] = field(default_factory=list)
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        return self.folder / "course"

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def places(self) -> dict[str, Path | str]:
        """What stands for ``@COURSE@`` and the others."""
        names = ("course", "class", "results", "outside", "home", "tmp")
        folders = {name.upper(): self.folder / name for name in names}
        return {**folders, "GRADEBOOK": self.folder / "gradebook.db", "RUN": self.folder.name}

    def stage(self) -> None:
        """Write the course, what everybody hands in, and what is none of their business."""
        (copy_of_toy if self.course == "toy" else copy_of_the_course)(self.root)
        for name in ("class", "outside", "home", "tmp", "cache"):
            (self.folder / name).mkdir()
        (self.folder / "outside").chmod(0o777)
        (self.folder / "gradebook.db").write_text(f"{CANARY}the-gradebook\n")
        (self.folder / "home" / ".history").write_text(f"{CANARY}the-home-folder\n")
        right = innocent if self.course == "toy" else innocent_with_tensors
        letters = sorted({attack.name[0] for attack in self.attacks})
        for number, letter in enumerate(["0", *letters[::3], "zz"]):  # before, between and after the others
            self.neighbours.append(f"{letter}_neighbour")
            self._hand_in(self.neighbours[-1], dict(right(number)))
        for attack in self.attacks:
            self._hand_in(attack.name, attack.files(self.places))
            self.written[attack.student] = self.written.pop(attack.name)

    def _hand_in(self, student: str, files: dict[str, bytes | Path]) -> None:
        for name, content in files.items():
            path = Path(os.path.normpath(self.folder / "class" / student / name))
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                path.symlink_to(content)
            else:
                path.write_bytes(content)
        texts = [content.decode(errors="replace") for content in files.values() if isinstance(content, bytes)]
        self.written[student] = "\n".join(texts)

    def grade(self, python: Path, only: str = "") -> None:
        """Run the command on the class; look at what is there before it and after it."""
        command = [python.with_name("softmarks"), "grade", self.folder / "class", "-o", self.results]
        command += ["--course", self.root, "--workers", "2", *(["--only", only] if only else [])]
        environment = {
            **os.environ,
            "TMPDIR": str(self.folder / "tmp"),
            "HOME": str(self.folder / "home"),
            "SOFTMARKS_TOKEN": f"{CANARY}the-environment",
        }
        self.before = self._seen()
        started = time.monotonic()
        with adopting() as left:
            done = subprocess.run(command, capture_output=True, env=environment, stdin=subprocess.DEVNULL)
        self.left_running = left
        self.seconds = time.monotonic() - started
        self.after = self._seen()
        self.status = done.returncode
        self.output = (done.stdout + done.stderr).decode(errors="replace")

    def keep(self) -> None:
        """Write what was seen beside the class, for other processes."""
        seen = {name: getattr(self, name) for name in SEEN}
        (self.folder / "seen.json").write_text(json.dumps(seen))

    @classmethod
    def kept(cls, folder: Path, course: str, attacks: Sequence[Attack]) -> Run:
        """The run that was kept there."""
        return cls(folder, course, attacks, **json.loads((folder / "seen.json").read_text()))

    def _seen(self) -> dict[str, Any]:
        """All files but the results, by content, rights and time; shared memory and sockets of our name."""
        seen: dict[str, Any] = {}
        for path in sorted(self.folder.rglob("*")):
            if not path.is_relative_to(self.results) and path.name != "__pycache__" and path.suffix != ".pyc":
                facts = path.lstat()
                regular = stat.S_ISREG(facts.st_mode)
                digest = hashlib.sha256(path.read_bytes()).hexdigest() if regular else ""
                when = facts.st_mtime_ns if regular else 0  # a folder's changes with what Python caches in it
                seen[str(path)] = (facts.st_mode, digest, when)
        for shared in (Path("/dev/shm"), Path("/tmp")):
            seen |= {str(path): "" for path in shared.glob("hostile-*")}
        seen["sockets"] = f"hostile-{self.folder.name}" in Path("/proc/net/unix").read_text()
        return seen

    def verdict(self, student: str) -> dict[str, Any]:
        """What was said of a student."""
        return self.verdicts()[student]

    def verdicts(self) -> dict[str, dict[str, Any]]:
        """All verdicts by student."""
        if not hasattr(self, "_verdicts"):
            records = [json.loads(path.read_text()) for path in (self.results / "verdicts").glob("*.json")]
            self._verdicts = {record["student"]: record for record in records}
        return self._verdicts


class adopting:
    """While entered, whatever outlives a child of ours becomes a child of ours; on leaving, who is left."""

    def __enter__(self) -> list[str]:
        self.left: list[str] = []
        self.before = set(psutil.Process().children(recursive=True))
        self._set(1)
        return self.left

    def __exit__(self, *error: object) -> None:
        new = set(psutil.Process().children(recursive=True)) - self.before
        _, alive = psutil.wait_procs(new, timeout=3)
        self.left += [f"{process.pid}: {' '.join(process.cmdline())}" for process in alive]
        for process in alive:
            process.kill()
        self._set(0)

    def _set(self, on: int) -> None:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, on, 0, 0, 0)


def student_pages(run: Run) -> Iterator[tuple[str, bytes]]:
    """Each student with each of the pages that they receive."""
    from softmarks.reporting.pages import Pages

    pages = Pages(run.results, pseudonyms=False)
    for student in run.verdicts():
        for kind in ("html", "md"):
            yield student, (run.results / "feedback" / f"{pages.stem(student)}.{kind}").read_bytes()


if __name__ == "__main__":  # a run to look at: python -m tests.hostile.staging FOLDER
    from tests.hostile import attacks

    for course, only in (("toy", ""), ("attention", "causal_mask")):
        tried = [a for a in attacks() if (a.exercise == "causal_mask") == (course == "attention")]
        made = Run(Path(sys.argv[1]) / course, course, tried)
        made.folder.mkdir(parents=True)
        made.stage()
        made.grade(Path(sys.executable), only)
        print(made.status, made.seconds, made.left_running, made.output[-3000:])
