"""What a student, or a whole class, handed in: files, folders and zips, turned into submissions."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from softmarks.errors import UsageError, reason_of
from softmarks.submission import Unreadable
from softmarks.submission.archives import (
    OTHER_ARCHIVES,
    Budget,
    Contents,
    expanded,
    file_entry,
    folder_contents,
    open_zip,
    zip_contents,
)  # fmt: skip
from softmarks.submission.handing_in import MANIFEST, MOST, Manifest
from softmarks.submission.names import (
    MOODLE,
    Whose,
    beside,
    ignored,
    listing,
    printable,
    quoted,
    split_name,
    whose,
)
from softmarks.submission.placing import PROGRAMS, SHIPPED, SHOWN, names_of, place
from softmarks.submission.reading import Source, read_source, size_limit
from softmarks.verdict import HandedIn

if TYPE_CHECKING:
    from softmarks.course.course import Course, Exercise

__all__ = ["Source", "Submission", "read_class", "read_file", "read_submission"]

HANDED_IN = {*PROGRAMS, ".zip", *OTHER_ARCHIVES}
UNLIMITED = 2**62  # a class's zip is the instructor's own; each student's part of it has a budget


@dataclass(frozen=True)
class Submission:
    """What one student handed in.

    ``unreadable`` is not empty when something could not be opened: an exercise without a source may be in
    there, so it is ungradable, not missing. ``unplaced`` are files that belong to no exercise. ``manifest``
    is what the zip says about itself, where it has one; ``handed_in`` is when, by
    assignment, where it is known.
    """

    student: str
    sources: Mapping[str, Source]
    origin: str
    repairs: tuple[str, ...]
    unplaced: tuple[str, ...]
    unreadable: str = ""
    manifest: Manifest | None = None
    handed_in: Mapping[str, HandedIn] = field(default_factory=dict)


def read_file(path: Path, exercise: Exercise) -> Source:
    """The program in one file, whatever its name, as the answer to ``exercise``."""
    _must_exist(path)
    if path.is_dir():
        raise UsageError("this is a folder", where=path, fix="Name the .py or .ipynb file in it")
    entry = file_entry(path, path.name)
    try:
        data = entry.read(size_limit(path.name))
    except Unreadable as reason:
        return Source(exercise.name, "", entry.path, (), str(reason))
    return read_source(data, entry.path, exercise.name, exercise.answers)


def read_submission(path: Path, course: Course) -> Submission:
    """What one student handed in: a ``.py`` or ``.ipynb`` file, a folder or a zip."""
    _must_exist(path)
    if path.is_dir():
        _listed(path, "the work")
    elif split_name(path.name)[1] not in HANDED_IN:
        raise UsageError("this is no .py or .ipynb file, folder or zip", where=path, fix="Name one of these")
    part = _part(path.resolve() if path.name in ("", "..") else path)
    student = whose(part.stem, names_of(course)).name or printable(part.stem)
    return _submission(student, [part], str(path), course)


def read_class(
    paths: Sequence[Path], course: Course, put_away: Callable[[Submission], Submission] = lambda one: one
) -> list[Submission]:
    """The submissions of a class, sorted by student; each is given to ``put_away`` as soon as it is read.

    Each path is a folder or a zip whose entries are students' folders, zips and files, or one student's
    file, or a folder or zip that holds one student's exercises. Files that a learning platform or their
    prefix attributes to one student are put together; and so is what one student handed in for different
    exercises in different paths, as when each assignment was downloaded by itself.
    """
    groups: list[tuple[str, list[tuple[Whose, Submission]]]] = []
    names = names_of(course)

    def read(student: str, parts: Sequence[_Part], origin: str) -> Submission:
        return put_away(_submission(student, parts, origin, course))

    loose: dict[Path, list[_Part]] = {}
    alone = len(paths) == 1
    for path in dict.fromkeys(path.absolute() for path in paths):
        _must_exist(path)
        if path.is_dir():
            groups.append((path.name, _students(_folder_parts(path), path, names, read)))
        elif split_name(path.name)[1] == ".zip":
            groups.append((path.name, _zipped(path, names, read, alone)))
        elif split_name(path.name)[1] in HANDED_IN:
            loose.setdefault(path.parent, []).append(_part(path))
        else:
            raise UsageError(
                "this is no .py or .ipynb file, folder or zip", where=path, fix="Name one of these"
            )
    groups += [(folder.name, _students(parts, folder, names, read)) for folder, parts in loose.items()]
    found = _put_together(groups)
    if not found:
        raise UsageError(
            "no student's work was found", where=paths[0] if paths else None,
            fix="Name a folder whose entries are students: folders, zips, notebooks or .py files",
        )  # fmt: skip
    return sorted(_kept_apart(found), key=lambda submission: submission.student.casefold())


def _zipped(path: Path, names: Sequence[str], read: _Read, alone: bool) -> list[tuple[Whose, Submission]]:
    """The submissions in a zip. One of several zips that cannot be opened is one student's."""
    try:
        with open_zip(path) as archive:
            return _students(_zip_parts(archive, names), path, names, read)
    except Unreadable as reason:
        if alone:
            raise UsageError(str(reason), where=path, fix="Download it again, or unpack it first") from None
        return _students([_part(path)], path.parent, names, read)


@dataclass(frozen=True)
class _Part:
    """One entry at the top of a class: a student's folder, zip or file."""

    name: str
    is_folder: bool
    listed: Callable[[], Contents]

    @property
    def stem(self) -> str:
        return self.name if self.is_folder else split_name(self.name)[0]

    def is_work(self, whom: Whose) -> bool:
        """Whether this may be a student's: documents only where a learning platform says whose they are."""
        if self.is_folder:
            return True
        kind = split_name(self.name)[1]
        return self.name.casefold() not in SHIPPED and (
            kind in HANDED_IN or (kind in SHOWN and whom.number != "")
        )


_Read = Callable[[str, Sequence[_Part], str], Submission]  # of a student, with the origin that is told


def _must_exist(path: Path) -> None:
    try:
        there = path.exists()
    except OSError:  # a name that no file can have
        there = False
    if not there:
        raise UsageError("there is no such file or folder", where=path, fix="Check the path")


def _part(path: Path) -> _Part:
    """What a person named on the command line: links are followed."""
    if path.is_dir():
        return _Part(path.name, True, lambda: folder_contents(path))
    return _Part(path.name, False, lambda: Contents([file_entry(path, path.name)]))


def _folder_parts(folder: Path) -> list[_Part]:
    """The entries of a class folder. A link may lead anywhere: it stays a student, with nothing to read."""
    paths = _listed(folder, "the submissions")
    return [_link(path) if path.is_symlink() else _part(path) for path in paths]


def _listed(folder: Path, what: str) -> list[Path]:
    """What lies in a folder that a person named; an error when there is nothing."""
    try:
        paths = sorted(path for path in folder.iterdir() if not ignored(path.name))
    except OSError as error:
        reason = reason_of(error)
        raise UsageError(
            f"the folder cannot be opened: {reason}", where=folder, fix="Repair its rights"
        ) from error
    if not paths:
        raise UsageError("the folder is empty", where=folder, fix=f"Name the folder that holds {what}")
    return paths


def _link(path: Path) -> _Part:
    sentence = f"{quoted(path.name)} is a link, which is not followed"
    return _Part(path.name, path.is_dir(), lambda: Contents(unopened=[sentence]))


def _zip_parts(archive: zipfile.ZipFile, names: Sequence[str]) -> list[_Part]:
    """The entries at the top of a class's zip, or of the one folder in it that holds the students."""
    contents = zip_contents(archive, Budget(UNLIMITED))
    tops = _tops(contents)
    if len(tops) == 1:
        (only,) = tops
        inner = _tops(_inside(contents, only))
        if inner and not whose(only, names).number and _are_students(inner, names):
            contents, tops = _inside(contents, only), inner
    return [
        _Part(name, is_folder, partial(_inside if is_folder else _single, contents, name))
        for name, is_folder in tops.items()
    ]


def _are_students(tops: Mapping[str, bool], names: Sequence[str]) -> bool:
    """Whether these are a class's entries, not one student's: no programs, or with students' names."""
    files = [split_name(name) for name, is_folder in tops.items() if not is_folder]
    whom = {whose(stem, names) for stem, kind in files if kind in PROGRAMS}
    numbered = any(who.number for who in whom)
    return not whom or numbered or (len(whom) > 1 and all(who.name and who.grouped for who in whom))


def _tops(contents: Contents) -> dict[str, bool]:
    """The first parts of all paths, and whether they are folders."""
    paths = [*(entry.path for entry in contents.entries), *contents.refused]
    return {path.partition("/")[0]: "/" in path for path in paths if not path.startswith(("/", "../"))}


def _inside(contents: Contents, folder: str) -> Contents:
    start = f"{folder}/"
    return Contents(
        [
            part.renamed(part.path.removeprefix(start))
            for part in contents.entries
            if part.path.startswith(start)
        ],
        {path.removeprefix(start): why for path, why in contents.refused.items() if path.startswith(start)},
    )


def _single(contents: Contents, name: str) -> Contents:
    return Contents(
        [part for part in contents.entries if part.path == name],
        {path: why for path, why in contents.refused.items() if path == name},
    )


def _students(
    parts: Sequence[_Part], path: Path, names: Sequence[str], read: _Read
) -> list[tuple[Whose, Submission]]:
    """The submissions among the entries of one class folder or zip."""
    whom = {part.name: whose(part.stem, names) for part in parts}
    known = {who for who in whom.values() if who.number}
    groups: dict[tuple[Whose, str], list[_Part]] = {}
    pieces: list[_Part] = []
    for part in parts:
        who = whom[part.name]
        if not part.is_work(who):
            continue
        if not who.name:
            pieces.append(part)
            continue
        if not who.grouped and not part.is_folder:
            who = beside(part.stem, known) or who
        groups.setdefault((who, "" if who.grouped else part.name), []).append(part)
    found = []
    for (who, _), members in groups.items():
        origin = str(path / members[0].name) if len(members) == 1 else str(path)
        found.append((who, read(who.name, members, origin)))
    if not pieces:
        return found
    # exercises lie at the top, without a student's name: the whole is one student's, or these are
    others = any(submission.sources or submission.unreadable for _, submission in found)
    top = _part(path.resolve())
    name = whose(top.stem, names).name or printable(top.stem)
    if others:
        parts = pieces
    elif not top.is_folder and top.name not in whom:
        parts = [top]  # a student's zip, not a class's: read within a student's limits
    whole = read(name, parts, str(path))
    return [*found, (Whose(name), whole)] if others else [(Whose(name), whole)]


def _submission(student: str, parts: Sequence[_Part], origin: str, course: Course) -> Submission:
    budget = Budget()
    try:
        contents = Contents()
        for part in parts:
            listed = part.listed()
            prefix = f"{printable(part.name)}/" if part.is_folder and len(parts) > 1 else ""
            contents.entries += [entry.renamed(prefix + entry.path) for entry in listed.entries]
            contents.refused |= {prefix + path: why for path, why in listed.refused.items()}
            contents.unopened += listed.unopened
        contents = expanded(contents, budget)
    except Unreadable as reason:
        return Submission(student, {}, origin, (str(reason),), (), str(reason))
    placed = place(contents, course)
    reasons = contents.unopened or ([] if placed.sources else list(contents.refused.values()))
    repairs = list(placed.repairs)
    if not placed.sources and not reasons:
        repairs.append("no file of an exercise was found")
    manifest = _manifest(contents)
    if manifest and manifest.course == course.id and manifest.course_version != course.version:
        made = printable(manifest.course_version, 20)
        repairs.append(f"made with version {made} of the course; graded with version {course.version}")
    why = "; ".join(reasons[:3])
    return Submission(student, placed.sources, origin, tuple(repairs), placed.unplaced, why, manifest)


def _manifest(contents: Contents) -> Manifest | None:
    """What a zip of `softmarks submit` says about itself; None where there is none that can be read."""
    for entry in contents.entries:
        if entry.name == MANIFEST:
            with suppress(Unreadable, ValidationError):
                return Manifest.model_validate_json(entry.read(MOST))
    return None


def _put_together(
    groups: Sequence[tuple[str, Sequence[tuple[Whose, Submission]]]],
) -> list[tuple[Whose, Submission]]:
    """The submissions of all paths: what one student has in several, for other exercises each, as one.

    Two of one name in one path may be two students, and so are two with numbers that differ, unless these are
    Moodle's, which are new for each assignment. A path that holds one student says nothing of the name.
    """
    named: dict[str, list[tuple[str, Whose, Submission]]] = {}
    alone: list[tuple[Whose, Submission]] = []
    for path, group in groups:
        for who, one in group:
            if len(group) > 1:
                named.setdefault(one.student.casefold(), []).append((path, who, one))
            else:
                alone.append((who, one))
    found = alone
    for same in named.values():
        works = [one for _, _, one in same]
        exercises = [name for one in works for name in one.sources]
        moodle = all(MOODLE.match(Path(one.origin).name) for one in works)
        clear = (
            len({path for path, _, _ in same}) == len(same)
            and len(set(exercises)) == len(exercises)
            and (moodle or len({who.number for _, who, _ in same}) == 1)
            and not any(one.unreadable for one in works)
        )
        if len(same) == 1 or not clear:
            found += [(who, one) for _, who, one in same]
        else:
            found.append((same[0][1], _joined(works, [path for path, _, _ in same])))
    return found


def _joined(works: Sequence[Submission], paths: Sequence[str]) -> Submission:
    """One submission with the exercises of several."""
    return replace(
        works[0],
        sources=_Joined(works),
        repairs=(*(line for one in works for line in one.repairs), f"put together from {listing(paths)}"),
        unplaced=tuple(name for one in works for name in one.unplaced),
        manifest=next((one.manifest for one in reversed(works) if one.manifest), None),
    )


class _Joined(Mapping[str, Source]):
    """The programs of several submissions, which have no exercise in common."""

    def __init__(self, works: Sequence[Submission]) -> None:
        self.where = {name: one.sources for one in works for name in one.sources}

    def __getitem__(self, exercise: str) -> Source:
        return self.where[exercise][exercise]

    def __iter__(self) -> Iterator[str]:
        return iter(self.where)

    def __len__(self) -> int:
        return len(self.where)


def _kept_apart(found: Sequence[tuple[Whose, Submission]]) -> Iterator[Submission]:
    """The submissions under names that differ: by the platform's number where there is one, else counted."""
    shared = Counter(submission.student.casefold() for _, submission in found)
    used = {name for name, count in shared.items() if count == 1}
    for who, submission in found:
        if shared[submission.student.casefold()] == 1:
            yield submission
            continue
        base = name = f"{submission.student} {who.number}".strip()
        count = 1
        while name.casefold() in used:
            count += 1
            name = f"{base} ({count})"
        used.add(name.casefold())
        count = shared[submission.student.casefold()]
        note = f"{count} entries are called '{submission.student}'; this one is '{name}'"
        yield replace(submission, student=name, repairs=(*submission.repairs, note))
