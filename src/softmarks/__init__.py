"""Softmarks: programming exercises, graded where student code cannot reach the verdict.

PYTEST_DONT_REWRITE
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__version__ = "0.1.0"


def load_ipython_extension(shell: InteractiveShell) -> None:
    """What ``%load_ext softmarks`` calls: `softmarks.notebook.magics` has the rest."""
    from softmarks.notebook.magics import load

    load(shell)
