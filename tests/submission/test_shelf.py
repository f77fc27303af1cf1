"""Programs that wait for their turn come back as they were put away, whoever asks in whatever order."""

from __future__ import annotations

import random
import sys
import tracemalloc
from pathlib import Path

from softmarks.submission.collecting import Submission, read_class
from softmarks.submission.reading import Source
from softmarks.submission.shelf import Shelf
from tests.submission.made import COURSE, zipped
from tests.submission.test_submissions import hand_in


def source(name: str, text: str, **more: object) -> Source:
    return Source(name, f"{text}\n\nx = 1", f"{name}.py", ("a repair",), cells=(text, "x = 1"), **more)  # type: ignore[arg-type]


def test_programs_come_back_as_they_were() -> None:
    """Odd characters, empty ones, unreadable ones and times; only the cells as handed in are left out."""
    texts = {"plain": "x = 1\n", "odd": "√\u2028\ud800\0😀", "empty": "", "long": "y = 2\n" * 50_000}
    found = {name: source(name, text, modified=1.5) for name, text in texts.items()}
    found["unreadable"] = Source("unreadable", "", "u.ipynb", (), "the notebook is empty (0 bytes)")
    shelf = Shelf()
    kept = [shelf.put(Submission(f"s{number}", found, "here", (), ())) for number in range(5)]
    asked = [(one, name) for one in kept for name in found] * 2
    random.Random(1).shuffle(asked)
    for one, name in asked:
        assert one.sources[name] == found[name]
        assert one.sources[name].modified == found[name].modified
    assert dict(kept[0].sources) == found
    assert (len(kept[0].sources), "nobody" in kept[0].sources) == (5, False)


def test_a_class_reads_the_same_with_and_without(tmp_path: Path) -> None:
    """A folder, and its zip."""
    files: dict[str, str | bytes] = {f"{name}/causal_mask.py": f"# of {name}\n" for name in ("ann", "bob")}
    (tmp_path / "class.zip").write_bytes(zipped(files))
    for path in (hand_in(tmp_path / "class", files), tmp_path / "class.zip"):
        found = read_class([path], COURSE)
        assert read_class([path], COURSE, Shelf().put) == found
        assert any(one.sources for one in found)


def test_a_class_needs_no_memory_for_its_programs() -> None:
    """What waits is some hundred bytes, however long the programs are."""
    shelf = Shelf()
    text = "z = 3\n" * 100_000
    tracemalloc.start()
    kept = [shelf.put(Submission("s", {"a": source("a", f"{text}# {n}")}, "", (), ())) for n in range(20)]
    now, _most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(kept) == 20
    assert now < sys.getsizeof(text)


def test_the_file_ends_with_the_last_submission() -> None:
    """No descriptor is left open."""
    shelf = Shelf()
    descriptor = shelf.file.fileno()
    kept = shelf.put(Submission("s", {"a": source("a", "x")}, "", (), ()))
    del shelf
    assert kept.sources["a"].cells[0] == "x"
    file = kept.sources.shelf.file  # type: ignore[attr-defined]
    del kept
    assert file.closed
    assert not Path(f"/proc/self/fd/{descriptor}").exists()
