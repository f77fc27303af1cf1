"""What Python's parser says of a program. The program is parsed, never compiled and never run.

Compiling is left to the sandbox: the compiler folds constants, and 18 kB of ``'a'*4000+'a'*4000+…``
took 7.6 GB. The parser alone needs at most about a kilobyte of memory a character.
"""

from __future__ import annotations

import ast
import warnings

CHECKED = 128 * 1024  # characters; a longer program is not parsed here


def fault(source: str) -> SyntaxError | None:
    """Why ``source`` is not Python, or None. A fault that only the compiler finds is not seen."""
    if len(source) > CHECKED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<submission>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        return error
    except (RecursionError, MemoryError):
        return SyntaxError("it is nested too deeply")
    except ValueError as error:
        return SyntaxError(str(error))
    return None


def in_words(error: SyntaxError) -> str:
    """The parser's sentence with its line: ``'(' was never closed, line 3``."""
    return error.msg if error.lineno is None else f"{error.msg}, line {error.lineno}"
