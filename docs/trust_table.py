"""Put the numbers of an audit into docs/trust.md: python docs/trust_table.py audit.json."""

import json
import sys
from pathlib import Path

from benchmarks.pages import put

PAGE = Path(__file__).with_name("trust.md")
COLUMNS = (
    *(
        "exercise",
        "right answers, times run seeds",
        "misconceptions caught",
        "in band",
        "named",
        "thoughtless",
        "pairs caught",
    ),
    *("sound", "both told", "mutants caught", "flaky", "gap", "noise"),
)


def row(room: dict) -> list[str]:
    """The cells of one exercise."""
    wrong, pairs, mutants = room["misconceptions"], room["pairs"], room["mutants"]
    right, trivial, shown = room["alternatives"], room["trivial"], room["sensitivity"]
    named = wrong["total"] - wrong["nameless"]
    gap = shown["smallest_gap"]
    return [
        f"`{room['exercise']}`",
        of(right["passed"], right["total"]),
        of(wrong["caught"], wrong["total"]),
        of(wrong["in_band"], wrong["total"]),
        of(wrong["named"], named),
        of(trivial["under_ceiling"], trivial["total"]),
        of(pairs["caught"], pairs["total"]),
        of(pairs["sound"], pairs["caught"]),
        of(pairs["exact"], pairs["caught"]),
        of(mutants["killed"], mutants["total"]),
        str(room["flaky"]),
        "–" if gap is None else f"{gap:.3g}",
        f"{shown['noise']:.2g}",
    ]


def of(good: int, total: int) -> str:
    """One number where all are good."""
    return "–" if not total else str(total) if good == total else f"{good} of {total}"


def total(rooms: list[dict]) -> list[str]:
    """The cells of all exercises together."""

    def both(group: str, good: str, all_: str = "total") -> str:
        return of(sum(room[group][good] for room in rooms), sum(room[group][all_] for room in rooms))

    wrong = [room["misconceptions"] for room in rooms]
    nameable = sum(one["total"] - one["nameless"] for one in wrong)
    gaps = [room["sensitivity"]["smallest_gap"] for room in rooms]
    return [
        "**all**",
        both("alternatives", "passed"),
        both("misconceptions", "caught"),
        both("misconceptions", "in_band"),
        of(sum(one["named"] for one in wrong), nameable),
        both("trivial", "under_ceiling"),
        both("pairs", "caught"),
        both("pairs", "sound", "caught"),
        both("pairs", "exact", "caught"),
        both("mutants", "killed"),
        str(sum(room["flaky"] for room in rooms)),
        f"{min(gap for gap in gaps if gap is not None):.3g}",
        f"{max(room['sensitivity']['noise'] for room in rooms):.2g}",
    ]


def main() -> None:
    """Replace the table of the page."""
    rooms = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["exercises"]
    rooms = [room for room in rooms if room["checks"]]  # a question sheet has none
    lines = [COLUMNS, ["---", *["---:"] * (len(COLUMNS) - 1)], *map(row, rooms), total(rooms)]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    put(PAGE, "table", table)


if __name__ == "__main__":
    main()
