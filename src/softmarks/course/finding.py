"""Find a course: in a folder, in a ZIP file, in the folders above, or installed as a package."""

from __future__ import annotations

import atexit
import shutil
import stat
import tempfile
import zipfile
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path, PurePosixPath

from softmarks.course.faults import near
from softmarks.course.working_copy import WorkingCopy, copy_in
from softmarks.errors import CourseError, UsageError

GROUP = "softmarks.courses"
MAX_UNPACKED = 100 * 2**20
MAX_FILES = 10_000


def find_course(start: Path | None = None, name: str | None = None) -> Path:
    """The folder that holds ``course.yml``.

    ``name`` is a folder, a ZIP file or the name of an installed course. Without it, the closest
    ``course.yml`` in ``start`` (else the current folder) or a folder above, or the course of the working copy
    there; else the installed course.
    A ZIP file is unpacked into a temporary folder that lives as long as this process.
    """
    if name is None:
        for folder in _upwards(start or Path.cwd()):
            if (folder / "course.yml").is_file():
                return folder
            if copy := copy_in(folder):
                return _of_copy(copy)
        return _only_installed()
    path = Path(name)
    installed = _by_name()
    if name in installed and not (path / "course.yml").is_file():  # a working copy may have this name too
        return _installed(installed[name])
    if path.is_dir():
        return _with_course(path)
    if path.is_file():
        return _with_course(_unpacked(path))
    raise UsageError(
        f'there is no course "{name}"',
        fix=f"Give a folder, a ZIP file or an installed course. {near(name, installed)}",
    )


def course_called(name: str) -> Path:
    """The folder of the course that `name_of` named, here or on another machine."""
    installed = _by_name()
    return _installed(installed[name]) if name in installed else find_course(name=name)


def name_of(root: Path, given: str | None = None) -> str:
    """What `course_called` knows the course in ``root`` by: its name where it is installed, else the path.

    ``given`` is what a person called it: the folder of a ZIP ends with this process, its own path does not.
    """
    if given and Path(given).is_file():
        return str(Path(given).resolve())
    names = (name for name, point in _by_name().items() if _installed(point) == root.resolve())
    return next(names, str(root.resolve()))


def _of_copy(copy: WorkingCopy) -> Path:
    try:
        return course_called(copy.course)
    except CourseError:
        raise  # it is there, and something is wrong with it
    except UsageError:
        raise UsageError(
            f"the course of this working copy is not there any more: {copy.course}",
            where=copy.folder,
            fix="Name it with --course, or put it back",
        ) from None


def _upwards(start: Path) -> list[Path]:
    folder = start.resolve()
    return [folder, *folder.parents]


def _only_installed() -> Path:
    installed = _by_name()
    if len(installed) == 1:
        return _installed(*installed.values())
    if not installed:
        raise UsageError("there is no course here", fix="Go to a course's folder, or name one with --course")
    names = ", ".join(sorted(installed))
    raise UsageError("several courses are installed", fix=f"Choose one with --course: {names}")


def _by_name() -> dict[str, EntryPoint]:
    """The courses that are installed."""
    return {point.name: point for point in entry_points(group=GROUP)}


def _installed(point: EntryPoint) -> Path:
    """The folder of the module that an entry point names."""
    module = point.load()
    return _with_course(Path(module.__file__).parent)


def _with_course(folder: Path) -> Path:
    if not (folder / "course.yml").is_file():
        raise CourseError("there is no course.yml in it", where=folder, fix="Give the folder that has one")
    return folder.resolve()


def _unpacked(archive: Path) -> Path:
    """Where the content of a ZIP now lies: a new folder, or the one folder in it that holds everything."""
    try:
        with zipfile.ZipFile(archive) as packed:
            members = [member for member in packed.infolist() if not member.filename.startswith("__MACOSX/")]
            _refuse_unsafe(members, archive)
            folder = Path(tempfile.mkdtemp(prefix="softmarks-course-"))
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            for member in members:
                _unpack(packed, member, folder)
    except CourseError:
        raise
    except Exception as error:  # whatever zipfile stumbles over in hostile bytes
        raise CourseError(
            f"the file is not a ZIP that can be unpacked: {error}", where=archive, fix="Pack the course again"
        ) from error
    inner = list(folder.iterdir())
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else folder


def _refuse_unsafe(members: list[zipfile.ZipInfo], archive: Path) -> None:
    """Raise CourseError for what could write outside the folder, or fill the disk."""
    if len(members) > MAX_FILES:
        raise CourseError(
            f"the ZIP holds more than {MAX_FILES} files", where=archive, fix="Pack the course alone"
        )
    if sum(member.file_size for member in members) > MAX_UNPACKED:
        raise CourseError("the ZIP unpacks to more than 100 MiB", where=archive, fix="Pack the course alone")
    for member in members:
        path = PurePosixPath(member.filename)
        kind = stat.S_IFMT(member.external_attr >> 16)
        if path.is_absolute() or ".." in path.parts or "\\" in member.filename or ":" in member.filename:
            what = "leads out of the folder"
        elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            what = "is a link, not a file"
        elif member.flag_bits & 0x1:
            what = "is encrypted"
        else:
            continue
        raise CourseError(
            f"{member.filename!r} in the ZIP {what}", where=archive, fix="Pack the course again"
        )


def _unpack(packed: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path) -> None:
    target = folder / member.filename
    if member.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(member) as source, target.open("xb") as file:  # "x": the same name twice is an error
        shutil.copyfileobj(source, file)
