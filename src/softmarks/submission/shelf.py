"""Programs of a class that wait for their turn: in a file, so that a large class needs no more memory."""

from __future__ import annotations

import json
import os
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from softmarks.submission.reading import Source

if TYPE_CHECKING:
    from softmarks.submission.collecting import Submission

KEPT = ("exercise", "text", "filename", "repairs", "unreadable", "cells", "modified")


class Shelf:
    """A file without a name that programs are put into. It ends with the last submission that is on it."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115  (closed below)
        weakref.finalize(self, self.file.close)

    def put(self, submission: Submission) -> Submission:
        """The submission, its programs read from here whenever they are asked for, without ``handed``."""
        places = {name: self._write(source) for name, source in submission.sources.items()}
        return replace(submission, sources=_Shelved(self, places))

    def _write(self, source: Source) -> tuple[int, int]:
        kept = {name: getattr(source, name) for name in KEPT}
        start = self.file.seek(0, os.SEEK_END)
        return start, self.file.write(json.dumps(kept).encode())

    def read(self, start: int, length: int) -> Source:
        """What was written there."""
        self.file.seek(start)
        kept = json.loads(self.file.read(length))
        return Source(**(kept | {name: tuple(kept[name]) for name in ("repairs", "cells")}))


class _Shelved(Mapping[str, Source]):
    """The programs of one submission by exercise, each read when it is asked for."""

    def __init__(self, shelf: Shelf, places: Mapping[str, tuple[int, int]]) -> None:
        self.shelf = shelf
        self.places = places

    def __getitem__(self, exercise: str) -> Source:
        return self.shelf.read(*self.places[exercise])

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)
