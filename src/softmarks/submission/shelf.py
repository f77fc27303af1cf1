"""Programs of a class that wait for their turn: in a file, so that a large class needs no more memory."""

from __future__ import annotations

import json
import os
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from softmarks.errors import GraderError, reason_of
from softmarks.submission.reading import Source

if TYPE_CHECKING:
    from softmarks.submission.collecting import Submission

KEPT = ("exercise", "filename", "repairs", "unreadable", "cells", "modified")


class Shelf:
    """A file without a name that programs are put into. It ends with the last submission that is on it."""

    def __init__(self) -> None:
        with _roomy():
            self.file = tempfile.TemporaryFile()  # noqa: SIM115  (closed below)
        weakref.finalize(self, self.file.close)

    def put(self, submission: Submission) -> Submission:
        """The submission, its programs read from here whenever they are asked for, without ``handed``."""
        places = {name: self._write(source) for name, source in submission.sources.items()}
        return replace(submission, sources=_Shelved(self, places))

    def _write(self, source: Source) -> tuple[int, int]:
        kept = {name: getattr(source, name) for name in KEPT}
        with _roomy():
            start = self.file.seek(0, os.SEEK_END)
            written = self.file.write(json.dumps(kept).encode())
            self.file.flush()
        return start, written

    def read(self, start: int, length: int) -> Source:
        """What was written there."""
        self.file.seek(start)
        kept = json.loads(self.file.read(length))
        kept["text"] = "\n\n".join(kept["cells"])
        return Source(**(kept | {name: tuple(kept[name]) for name in ("repairs", "cells")}))


@contextmanager
def _roomy() -> Iterator[None]:
    """Raises GraderError where there is no room for what is written."""
    try:
        yield
    except OSError as error:
        what = f"the work of the class cannot be put aside: {reason_of(error)}"
        fix = "Make room in the folder for temporary files, or set TMPDIR to another one, and run it again"
        raise GraderError(what, where=tempfile.gettempdir(), fix=fix) from error


class _Shelved(Mapping[str, Source]):
    """The programs of one submission by exercise, each read when it is asked for."""

    def __init__(self, shelf: Shelf, places: Mapping[str, tuple[int, int]]) -> None:
        self.shelf = shelf
        self.places = places

    def __getitem__(self, exercise: str) -> Source:
        return self.shelf.read(*self.places[exercise])

    def __contains__(self, exercise: object) -> bool:
        return exercise in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)
