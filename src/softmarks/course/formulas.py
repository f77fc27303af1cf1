"""A course's Markdown where nothing is typeset: formulas as plain text, ``$\\sqrt{d_k}$`` as `√(d_k)`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

INDENTED = "\n\n    {}\n\n"
FENCED = "\n\n```text\n{}\n```\n\n"  # also where a list comes before, which would take an indented line in

_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.S)
_INLINE = re.compile(r"\$([^$]+?)\$", re.S)
_GROUP = re.compile(r"([_^])\{([^{}]*[^\w{}][^{}]*)\}")
_SIGN = re.compile(r"([·×≤≥≠≈=→…]|(?<=[⊤α-ω])[/+-])")
_FUNCTION = re.compile(r"\\b?(sin|cos|tanh|ln|log|mod)(?![a-z])")
_CALL = re.compile(r"\b(sin|cos|tanh|ln|log) \(")
_SIMPLE = re.compile(r"\w*|[\w.]+")
_GAP = re.compile(r"(?:\\q?quad(?![a-z])\s*)+")
_EMPHASIS = re.compile(r"(`[^`]*`)|(\*\*?)(?=\S)([^*]+)(?<=\S)\2")


def readable(text: str, display: str = INDENTED) -> str:
    """``text`` with its formulas as code spans; a display formula gets a line, as ``display`` says."""
    if "$" not in text:
        return text
    text = _DISPLAY.sub(lambda match: display.format(_plain(match[1])), text)
    return _INLINE.sub(lambda match: f"`{_plain(match[1])}`", text)


def flat(text: str) -> str:
    """``text`` as `readable` has it, and without signs of emphasis: for where Markdown is not rendered."""
    return _EMPHASIS.sub(lambda match: match[1] or match[3], readable(text))


def _plain(formula: str) -> str:
    return "    ".join(_part(part) for part in _GAP.split(formula))


def _part(formula: str) -> str:
    formula = _GROUP.sub(r"\1(\2)", formula)  # s_{i-1} is not s_i - 1
    formula = _FUNCTION.sub(r" \\text{\1} \\ ", formula)  # the space after it would be lost
    text = " ".join(_SIGN.sub(r" \1 ", _converter().latex_to_text(formula)).split())
    return _CALL.sub(r"\1(", text).replace("( ", "(")


@cache
def _converter() -> Any:
    from pylatexenc.latex2text import (  # type: ignore[import-untyped]
        LatexNodes2Text,
        MacroTextSpec,
        get_default_latex_context_db,
    )

    def fraction(node: Any, l2tobj: Any) -> str:
        parts = [l2tobj.nodelist_to_text([part]).strip() for part in node.nodeargd.argnlist]
        return " / ".join(part if _SIMPLE.fullmatch(part) else f"({part})" for part in parts)

    context = get_default_latex_context_db()
    fractions = [MacroTextSpec(name, simplify_repl=fraction) for name in ("frac", "tfrac", "dfrac")]
    context.add_context_category("fractions", prepend=True, macros=fractions)
    return LatexNodes2Text(math_mode="text", strict_latex_spaces=True, latex_context=context)
