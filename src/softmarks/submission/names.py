"""What a file's name says: kind, exercise, student, attempt. Names that are safe to print and to write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

JOINERS = "\u200c\u200d"  # belong to the spelling of names in several scripts

KIND = re.compile(r"\.(py|ipynb|zip)(?:\.txt|\.json)?$", re.IGNORECASE)  # browsers append .txt and .json
CHECKS = "checks.zip"  # a student edition that lies beside the notebooks which were given out
IGNORED = {"__macosx", "__pycache__", "thumbs.db", "desktop.ini"}
# handed in with every nbgrader assignment: what was given out with it, and nbgrader's own records
IGNORED |= {CHECKS, "timestamp.txt", "submission_secret.txt"}
NOISE = {"final", "late", "copy", "new", "version", "solution", "submission", "attempt", "kopie", "v"}

MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_")
CANVAS = re.compile(r"(?P<name>.+?)_(?:LATE_)?(?P<id>\d{3,})_\d{3,}_")
NUMBERED = re.compile(r"(?P<name>.+?)[_ -](?:LATE[_ -])?(?P<id>\d{4,})(?:[_ -]+\d+)*[_ -]*$")
SHARED = re.compile(r"(?P<name>.+?)[_ -](?:LATE[_ -])?(?P<id>\d{4,})[_ -]")
EDGES = "_-.,+ \t"


def printable(text: str, limit: int | None = None) -> str:
    """``text`` in NFC without direction marks, � for what is unprintable, cut in the middle at ``limit``."""
    text = unicodedata.normalize("NFC", text)
    if not text.isprintable():
        text = "".join(
            char if char.isprintable() or char in JOINERS else "�"
            for char in text
            if unicodedata.category(char) != "Cf" or char in JOINERS
        )
    if limit is not None and len(text) > limit:
        half = limit // 2
        text = f"{text[: half - 1]}…{text[-half:]}"
    return text


def listing(items: Iterable[str], most: int = 5) -> str:
    """``a, b, c and 4 more``."""
    names = list(items)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def quoted(name: str) -> str:
    """A file's name as it stands in a sentence."""
    return f"'{printable(name, 60)}'"


def split_name(name: str) -> tuple[str, str]:
    """A file name without its folders as stem and kind: ``Words (1).PY.txt`` -> ``Words (1)``, ``.py``."""
    if found := KIND.search(name):
        return name[: found.start()], f".{found[1].lower()}"
    stem, dot, suffix = name.rpartition(".")
    return (stem, f".{suffix.lower()}") if dot and stem else (name, "")


def ignored(part: str) -> bool:
    """Whether a file or folder of this name is nobody's work: hidden, or left there by a program."""
    return part.startswith(".") or part.casefold() in IGNORED


@dataclass(frozen=True)
class Found:
    """Where a file's stem names an exercise or an assignment."""

    name: str
    exact: bool
    before: str
    after: str

    @property
    def attempt(self) -> tuple[int, ...]:
        """The numbers after the name: ``word_count-2 (1)`` is attempt 2, copy 1."""
        return tuple(int(number) for number in re.findall(r"[0-9]{1,9}", self.after))


def find(stem: str, names: Iterable[str]) -> Found | None:
    """The longest of ``names`` that stands in ``stem`` as whole words, however cased and separated."""
    stem = unicodedata.normalize("NFC", stem)
    best: Found | None = None
    for name in names:
        words = re.findall(r"[^\W_]+", name)
        pattern = r"(?<![^\W_])" + r"[\W_]*".join(map(re.escape, words)) + r"(?![^\W_])"
        places = list(re.finditer(pattern, stem, re.IGNORECASE))
        if words and places and (best is None or len(name) > len(best.name)):
            place = places[-1]
            best = Found(name, stem == name, stem[: place.start()], stem[place.end() :])
    return best


@dataclass(frozen=True)
class Whose:
    """The student that a name speaks of. ``number`` is the one that a learning platform wrote, or ``""``."""

    name: str
    number: str = ""
    grouped: bool = False  # other entries of the same name and number are the same student's


def whose(stem: str, names: Iterable[str]) -> Whose:
    """Whose work an entry is, by how Moodle and Canvas name it or by what stands before a name of the course.

    A `Whose` with an empty name: the entry names a piece of the course and no student.
    """
    stem = printable(stem)[:300]
    if found := MOODLE.match(stem) or CANVAS.match(stem):
        return Whose(found["name"].strip(EDGES) or stem, found["id"], grouped=True)
    piece = find(stem, names)
    if piece is None:
        return Whose(stem.strip(EDGES) or stem)
    if numbered := NUMBERED.match(piece.before):
        return Whose(numbered["name"].strip(EDGES) or stem, numbered["id"], grouped=True)
    words = [word for word in re.findall(r"[^\W_]+", piece.after) if word.casefold() not in NOISE]
    after = "" if all(word.isdigit() for word in words) else piece.after
    return Whose(piece.before.strip(EDGES) or after.strip(EDGES), grouped=True)


def beside(stem: str, known: Iterable[Whose]) -> Whose | None:
    """The one of ``known`` with whose name and number an entry begins that names no piece of the course."""
    found = SHARED.match(printable(stem))
    if found is None:
        return None
    whom = Whose(found["name"].strip(EDGES), found["id"], grouped=True)
    return whom if whom in known else None
