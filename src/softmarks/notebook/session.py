"""What a kernel has executed so far, as the cells of a notebook.

A kernel never sees the document. It sees texts in the order of their execution and, from most frontends,
the id of the cell that each one stands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell


@dataclass
class Execution:
    """One execution: its number, as in ``In [3]``, its text, and the id of its cell where that is known."""

    number: int
    text: str
    cell: str | None = None
    raised: bool = False


def cells(executions: Sequence[Execution]) -> dict[int, str]:
    """Texts by the number of their execution, in the order in which a notebook would hold them.

    A cell with an id counts with its last text, where it first ran without an error: one that was tried
    before the imports comes after them, and the imports stay in front when they are run again. A text
    without an id may be of any cell, so its first and its last execution count.
    """
    groups: dict[tuple[str | None, str], list[int]] = {}
    for place, one in enumerate(executions):
        groups.setdefault((one.cell, "") if one.cell else (None, one.text), []).append(place)
    taken: dict[int, Execution] = {}
    for (cell, _), places in groups.items():
        last = executions[places[-1]]
        if cell is None:
            taken[places[0]] = executions[places[0]]
            taken[places[-1]] = last
        else:
            worked = [place for place in places if not executions[place].raised]
            taken[worked[0] if worked else places[-1]] = last
    return {taken[place].number: taken[place].text for place in sorted(taken)}


class Session:
    """The executions of one kernel: those before now, by its history, and from now on as they happen."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.running: list[tuple[ExecutionInfo, Execution]] = []  # cells can run cells
        history = shell.history_manager.input_hist_raw if shell.history_manager else []
        self.executions = [Execution(number, text) for number, text in enumerate(history) if text.strip()]
        shell.events.register("pre_run_cell", self._begun)
        shell.events.register("post_run_cell", self._ended)

    def cells(self) -> dict[int, str]:
        """The cells so far, by the numbers of their executions; the one that runs now is among them."""
        return cells(self.executions)

    def _begun(self, info: ExecutionInfo) -> None:
        text = info.raw_cell or ""
        if info.store_history and text.strip():  # else it is the frontend's own, or a magic's
            cell = getattr(info, "cell_id", None)  # not known to IPython before 8.3
            number = self.executions[-1].number + 1 if self.executions else 1
            execution = Execution(number, text, cell)
            self.executions.append(execution)
            self.running.append((info, execution))

    def _ended(self, result: ExecutionResult) -> None:
        for pair in [pair for pair in self.running if pair[0] is result.info]:
            pair[1].raised = not result.success
            self.running.remove(pair)
