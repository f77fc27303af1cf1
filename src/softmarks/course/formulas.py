"""Formulas of a course's Markdown as plain text, where nothing is typeset: ``$\\sqrt{d_k}$`` as `√(d_k)`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.S)
_INLINE = re.compile(r"\$([^$]+?)\$", re.S)
_GROUP = re.compile(r"([_^])\{([^{}]*[^\w{}][^{}]*)\}")
_SIGN = re.compile(r"([·×≤≥≠≈=→…]|(?<=⊤)[/+-])")
_FUNCTION = re.compile(r"\\b?(sin|cos|tanh|ln|log|mod)(?![a-z])")
_CALL = re.compile(r"\b(sin|cos|tanh|ln|log) \(")
_SIMPLE = re.compile(r"\w*|[\w.]+")


def readable(text: str) -> str:
    """``text`` with its formulas as code spans; a display formula gets a line of its own."""
    if "$" not in text:
        return text
    text = _DISPLAY.sub(lambda match: f"\n\n    {_plain(match[1])}\n\n", text)
    return _INLINE.sub(lambda match: f"`{_plain(match[1])}`", text)


def _plain(formula: str) -> str:
    formula = _GROUP.sub(r"\1(\2)", formula)  # s_{i-1} is not s_i - 1
    formula = _FUNCTION.sub(r" \\text{\1} \\ ", formula)  # the space after it would be lost
    text = " ".join(_SIGN.sub(r" \1 ", _converter().latex_to_text(formula)).split())
    return _CALL.sub(r"\1(", text)


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
