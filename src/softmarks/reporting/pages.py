"""Who is called what on the pages of a class, and under which file name each page lies.

A page's name cannot be guessed from a student's: it ends in sixteen signs that depend on a secret of the
results folder, and stays the same as long as that is there.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from pathlib import Path

from softmarks.errors import UsageError, reason_of
from softmarks.reporting.files import safe_stem, write_atomically
from softmarks.verdict import Verdict

SECRET = ".secret"
DIGITS = 64  # hexadecimal
LETTERS = 16  # of base32: 80 bits


class Pages:
    """The pages of a results folder; with ``pseudonyms``, no page names anybody."""

    def __init__(self, folder: Path, *, pseudonyms: bool) -> None:
        self.key = _secret(folder / SECRET)
        self.pseudonyms = pseudonyms

    def name(self, student: str) -> str:
        """What a student is called on the pages."""
        return f"student {self._token('name', student)[:6]}" if self.pseudonyms else student

    def stem(self, student: str) -> str:
        """The name of a student's page, without what says whether it is HTML or Markdown."""
        token = self._token("page", student)
        return token if self.pseudonyms else f"{safe_stem(student)}-{token}"

    def shown(self, verdict: Verdict) -> Verdict:
        """A verdict as its page has it: under another name, neither is the student's own in what we noted."""
        if not self.pseudonyms:
            return verdict
        words = [re.escape(word) for word in re.findall(r"[^\W_]+", verdict.student)]
        own = re.compile(r"[\W_]*".join(words) or r"(?!)", re.IGNORECASE)
        name = self.name(verdict.student)

        def without(texts: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(own.sub(name, text) for text in texts)

        exercises = tuple(
            one.model_copy(update={"note": own.sub(name, one.note), "repairs": without(one.repairs)})
            for one in verdict.exercises
        )
        return verdict.model_copy(
            update={
                "student": name,
                "origin": "",
                "repairs": without(verdict.repairs),
                "unplaced": without(verdict.unplaced),
                "exercises": exercises,
            }
        )

    def _token(self, what: str, student: str) -> str:
        words = f"{what}\0{student}".encode("utf-8", "surrogatepass")
        digest = hmac.digest(self.key, words, hashlib.sha256)
        return base64.b32encode(digest).decode("ascii").lower()[:LETTERS]


def _secret(path: Path) -> bytes:
    """The secret of a results folder, made when it is first asked for. Nobody else may read it."""
    if not path.exists():
        write_atomically(path, secrets.token_hex(DIGITS // 2), mode=0o600)
    try:
        key = path.read_bytes()
    except OSError as error:
        reason = reason_of(error)
        raise UsageError(f"cannot be read: {reason}", where=path, fix="Repair its rights") from error
    if len(key) != DIGITS:
        fix = "Take the file away: all pages get new names"
        raise UsageError("this is no secret of ours", where=path, fix=fix)
    return key
