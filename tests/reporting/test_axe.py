"""Pages for everybody: axe-core finds nothing serious in them, light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import axe_core_python
import pytest

from softmarks.reporting.audit_page import audit_page
from softmarks.reporting.html import class_html, exercise_fragment, feedback_html
from tests.notebook.browsing import BROWSER
from tests.reporting.chromium import Chromium, chromium
from tests.reporting.made import a_course, all_right, make_exercise, make_verdict, without_mark
from tests.reporting.test_audit_pages import room
from tests.reporting.test_fragment import CURVE, TABLE

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
FOUND = """axe.run(document).then(found => found.violations.map(one => ({
  id: one.id,
  impact: one.impact,
  where: one.nodes.map(node => node.html + " " + node.failureSummary),
})))"""
SERIOUS = ("serious", "critical")
WIDTH = 1200

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed here")


def in_a_notebook(exercise, pictures=()):
    """A fragment in a page as an output of a cell."""
    body = exercise_fragment(exercise, pictures)
    head = "<style>:root { color-scheme: light dark; }</style>"
    return (
        f"<!doctype html><html lang='en'><title>Cells</title>{head}<main><h1>Cells</h1>{body}</main></html>"
    )


PAGES = {
    "feedback": lambda _toy: feedback_html(make_verdict(), policy="all"),
    "class": lambda _toy: class_html([make_verdict(f"Student {n}") for n in range(3)], a_course()),
    "audit": lambda toy: audit_page(toy, [room()], ["something falls short"]),
    "a mistake in a notebook": lambda _toy: in_a_notebook(make_exercise(), [TABLE, CURVE]),
    "all right in a notebook": lambda _toy: in_a_notebook(all_right()),
    "unreadable in a notebook": lambda _toy: in_a_notebook(without_mark()),
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """One browser for all pages."""
    with chromium(tmp_path_factory.mktemp("browser")) as one:
        yield one


def serious(browser: Chromium, source: str, folder: Path, *, dark: bool = False) -> list[dict]:
    """The serious findings in a page. Its own policy is taken out: it would not let axe run."""
    open_page = re.sub(r"<meta http-equiv[^>]*>", "", source)
    (folder / "page.html").write_text(open_page)
    browser.open(folder / "page.html", WIDTH, dark=dark)
    browser.run(f"{AXE};0")
    return [one for one in browser.run(FOUND) if one["impact"] in SERIOUS]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious_is_found(browser, name, dark, toy, tmp_path):
    """Contrast, names, structure: what keeps somebody from reading it."""
    assert serious(browser, PAGES[name](toy), tmp_path, dark=dark) == []


def test_a_fault_would_be_found(browser, tmp_path):
    """Grey on grey, and an image without words."""
    source = "<!doctype html><html><title>x</title><p style='color: #bbb'>Some words.</p><img src='a'></html>"
    assert {"color-contrast", "image-alt", "html-has-lang"} <= {
        one["id"] for one in serious(browser, source, tmp_path)
    }
