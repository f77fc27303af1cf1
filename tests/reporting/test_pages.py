"""The pages in a browser, of a small class and a large one, at a desk and on a telephone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from softmarks.reporting.html import class_html, feedback_html
from tests.notebook.browsing import BROWSER
from tests.reporting.chromium import Chromium, chromium
from tests.reporting.made import NAMES, a_course, make_class, make_verdict, without_mark
from tests.reporting.test_axe import AXE, SERIOUS

DESK, TELEPHONE = 1280, 390
A_SHEET = 960  # pixels between the margins of a sheet across
PAGES = (
    "class of 3",
    "class of 30",
    "class of 300",
    "student",
    "student without a mark",
    "student with a long name",
)
ROWS = "[...document.querySelectorAll('table.sortable')[{table}].tBodies[0].rows]"
CELLS = ROWS + ".map(row => row.cells[{column}].textContent)"
HEADS = "document.querySelectorAll('table.sortable')[{table}].tHead.rows"
SORT = f"[...{HEADS}].at(-1).cells[{{column}}].querySelector('button').click()"
SAID = f"[...{HEADS}].at(-1).cells[{{column}}].getAttribute('aria-sort')"

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed here")


@dataclass
class Shown:
    """A browser, and the pages that it can open."""

    browser: Chromium
    folder: Path

    def open(self, page: str, width: int = DESK, **words: bool) -> Chromium:
        self.browser.open(self.folder / f"{page}.html", width, **words)
        return self.browser


@pytest.fixture(scope="module")
def shown(tmp_path_factory) -> Iterator[Shown]:
    """All pages, in files, and one browser for them."""
    folder, home = tmp_path_factory.mktemp("pages"), tmp_path_factory.mktemp("browser")
    course = a_course()
    classes = [make_class(size, course.exercises[:25]) for size in (3, 30, 300)]
    some = classes[0][1].exercises[:6]
    none = without_mark(), without_mark("causal_mask", "needs-a-person")
    students = [
        make_verdict(name, *exercises)
        for name, exercises in zip(NAMES, (some, none, classes[0][0].exercises), strict=False)
    ]
    pages = [
        *(class_html(one, course) for one in classes),
        *(feedback_html(one, policy="all", course=course) for one in students),
    ]
    for name, page in zip(PAGES, pages, strict=True):
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    with chromium(home) as browser:
        yield Shown(browser, folder)


@pytest.mark.parametrize("width", [DESK, TELEPHONE])
@pytest.mark.parametrize("page", [page for page in PAGES if page != "class of 30"])
def test_a_page_fits_and_asks_for_nothing(page, width, shown):
    """Nothing sticks out of the window, nothing is fetched, nothing is refused by the page's own policy."""
    browser = shown.open(page, width)
    assert browser.run("innerWidth") == width
    assert browser.run("document.scrollingElement.scrollWidth") <= width
    assert browser.requests == [(shown.folder / f"{page}.html").as_uri()]
    assert browser.faults == []


def test_a_page_that_is_too_wide_or_runs_more_would_be_seen(shown):
    """A wide box, a picture from elsewhere, a second script: each is noticed, and the policy stops two."""
    more = "<div style='width: 3000px'>x</div><img src='http://127.0.0.1:9/x.png'>"
    more += "<script>document.title = 1</script>"
    source = (shown.folder / "class of 3.html").read_text(encoding="utf-8")
    (shown.folder / "worse.html").write_text(source.replace("<main>", f"<main>{more}"), encoding="utf-8")
    browser = shown.open("worse")
    assert browser.run("document.scrollingElement.scrollWidth") > DESK
    assert browser.run("document.title") != "1"
    refused = " ".join(fault["entry"]["text"] for fault in browser.faults)
    assert "x.png" in refused
    assert "inline script" in refused


@pytest.mark.parametrize(
    ("page", "table", "column"),
    [("class of 3", 0, 1), ("class of 30", 0, 3), ("class of 30", 1, 2), ("class of 300", 0, 1)],
)
def test_a_head_sorts_its_table(page, table, column, shown):
    """Once up, again down, a third time as it was; words stand last, and rows stay whole."""
    browser, at = shown.open(page), {"table": table, "column": column}
    rows = browser.run(ROWS.format(**at) + ".map(row => row.textContent)")
    came = browser.run(CELLS.format(**at))
    seen = {tuple(came)}
    for order, sign in (("ascending", 1), ("descending", -1)):
        browser.run(SORT.format(**at))
        assert browser.run(SAID.format(**at)) == order
        cells = browser.run(CELLS.format(**at))
        numbers = [float(cell.rstrip("*")) for cell in cells if cell[0].isdigit()]
        assert numbers == sorted(numbers, key=lambda number: sign * number)
        assert not any(cell[0].isdigit() for cell in cells[len(numbers) :])
        assert sorted(browser.run(ROWS.format(**at) + ".map(row => row.textContent)")) == sorted(rows)
        seen.add(tuple(cells))
    assert len(seen) > 1
    browser.run(SORT.format(**at))
    assert browser.run(SAID.format(**at)) is None
    assert browser.run(CELLS.format(**at)) == came


def test_names_are_sorted_as_people_do(shown):
    """By the alphabet, numbers in names by what they are worth; another column's sign goes away."""
    browser = shown.open("class of 300")
    browser.run(SORT.format(table=0, column=1))
    browser.run(SORT.format(table=0, column=0))
    assert browser.run(SAID.format(table=0, column=1)) is None
    names = browser.run(CELLS.format(table=0, column=0))
    numbered = [name for name in names if name.startswith("Ada Lovelace")]
    assert numbered[:3] == ["Ada Lovelace", "Ada Lovelace 49", "Ada Lovelace 98"]
    assert numbered[3] == "Ada Lovelace 147"


def test_without_scripts_it_is_a_table(shown):
    """No button, no word about sorting, and all that there is to read."""
    browser = shown.open("class of 3", scripts=False)
    assert browser.run("document.querySelectorAll('button').length") == 0
    assert "to sort by it" not in browser.run("document.body.innerText")
    assert len(browser.run(CELLS.format(table=0, column=0))) == 3
    assert browser.faults == []


@pytest.mark.parametrize("width", [DESK, TELEPHONE])
def test_heads_and_names_stay_in_sight(width, shown):
    """In a large class the region scrolls, and the head, the names and the means stay at its edges."""
    browser = shown.open("class of 30", width)
    edges = """(region => {
        const box = name => region.querySelector(name).getBoundingClientRect();
        const own = region.getBoundingClientRect();
        region.scrollTo(500, 300);
        return [box("thead").top - own.top, box("tbody tr:nth-child(20) th").left - own.left,
                box("thead tr:last-child th").left - own.left, own.bottom - box("tfoot").bottom,
                region.scrollTop - 300, region.scrollLeft - 500];
    })(document.querySelector(".scroll"))"""
    assert all(abs(edge) < 2 for edge in browser.run(edges))


@pytest.mark.parametrize("page", ["class of 3", "class of 300"])
def test_it_can_be_printed(page, shown):
    """Across, with all columns on the sheet and nothing cut off by a scrolled region."""
    browser = shown.open(page, A_SHEET)
    browser.tell("Emulation.setEmulatedMedia", media="print")
    assert browser.run("document.scrollingElement.scrollWidth") <= A_SHEET
    regions = "[...document.querySelectorAll('.scroll')].map(one => [one.scrollWidth - one.clientWidth, {}])"
    hidden = browser.run(regions.format("one.scrollHeight - one.clientHeight"))
    assert hidden == [[0, 0], [0, 0]]
    if page == "class of 3":
        assert b"/MediaBox [0 0 792 612]" in browser.printed()


@pytest.mark.parametrize(
    ("page", "width", "dark"),
    [
        ("class of 3", DESK, True),
        ("class of 3", TELEPHONE, False),
        ("student", TELEPHONE, False),
        ("student without a mark", DESK, True),
        pytest.param("class of 30", DESK, False, marks=pytest.mark.long),
    ],
)
def test_everybody_can_read_it(page, width, dark, shown):
    """axe-core finds nothing serious, with the buttons that the script makes."""
    browser = shown.open(page, width, dark=dark)
    browser.run(AXE)
    browser.run(SORT.format(table=0, column=1) if page.startswith("class") else "0")
    found = browser.run("axe.run(document).then(found => found.violations.map(one => [one.impact, one.id]))")
    assert [one for one in found if one[0] in SERIOUS] == []
