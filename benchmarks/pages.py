"""Puts what was measured into a page of docs/, between the two comments that name it."""

from __future__ import annotations

import re
from pathlib import Path


def put(page: Path, name: str, text: str) -> None:
    """Write ``text`` between ``<!-- NAME: … -->`` and ``<!-- end of NAME -->``."""
    place = re.compile(rf"(<!-- {name}: .*? -->\n).*?(<!-- end of {name} -->)", re.S)
    old = page.read_text(encoding="utf-8")
    page.write_text(place.sub(lambda found: f"{found[1]}\n{text}\n{found[2]}", old), encoding="utf-8")
