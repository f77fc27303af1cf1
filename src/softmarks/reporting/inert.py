"""Text that a student may have written, made harmless to look at: no control character stays one."""

from __future__ import annotations

# Newlines and tabs shape a text; the joiners belong to the spelling of names in several scripts.
KEPT = frozenset("\n\t\u00a0\u200c\u200d")


def inert(text: str) -> str:
    """``text`` with every control, bidi, surrogate and other unprintable character made visible.

    They are spelled as in a Python string: escape becomes ``\\x1b``, a right-to-left override ``\\u202e``.
    Windows line ends become plain ones. The result can always be encoded as UTF-8.
    """
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(
        char if char.isprintable() or char in KEPT else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def clip(text: str, columns: int, lines: int) -> str:
    """``text`` with long lines cut at ``columns`` characters and no more than its first ``lines`` lines."""
    rows = text.rstrip("\n").split("\n")
    cut = [row if len(row) <= columns else row[: columns - 1] + "…" for row in rows[:lines]]
    if len(rows) > lines:
        cut.append(f"… ({len(rows) - lines} more lines)")
    return "\n".join(cut)
