"""Draw the README's pictures of a terminal into docs/pictures/, from a learner's real screen.

Plays a part of an evening in a folder of its own (start, watch with a mistake, show, check) and has a browser
without a window draw each screen. Needs chromium or Chrome, and what `make setup` installs. From the root:

    python -m docs.make_pictures
"""

from __future__ import annotations

import html
import itertools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageChops
from pyte.screens import Char

from softmarks.course.course import load_course
from softmarks.course.rooms import Room, room
from tests.cli.screen import COLUMNS, Screen, Terminal

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SOFTMARKS = Path(sys.executable).with_name("softmarks")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WIDE = 130  # columns: tables stand side by side in a wide terminal
LINES = 60  # higher than any of these screens, so that nothing has scrolled away
PROMPT = "\x1b[32m$\x1b[0m \x1b[1msoftmarks {}\x1b[0m\r\n"
SHARPNESS = 1.6  # pixels for each of the page
COLOURS = 256  # of a picture; those of a single sign are kept
INK, PAGE = "#d7dae0", "#1d2026"
NAMED = {
    **{"black": "#2b303b", "red": "#ef7077", "green": "#8fc97a", "brown": "#e2b86b", "blue": "#6fa8ec"},
    **{"magenta": "#c792ea", "cyan": "#67c1cf", "white": "#d7dae0", "brightblack": "#7f8694"},
    **{"brightred": "#ff8b92", "brightgreen": "#a8e08f", "brightbrown": "#ffd68a", "brightblue": "#8fc1ff"},
    **{"brightmagenta": "#ddb0ff", "brightcyan": "#8be0ec", "brightwhite": "#ffffff"},
}
HTML = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #fff }}
pre {{ display: inline-block; margin: 0; padding: 18px 22px; background: {page}; color: {ink};
  font: 15px/1.32 "DejaVu Sans Mono", Menlo, Consolas, monospace }}
b, span {{ display: inline-block; height: 1.32em; vertical-align: top }}
</style><pre>{lines}</pre>"""


def main() -> None:
    """Play the evening and draw what is seen."""
    if BROWSER is None:
        sys.exit("no chromium was found to draw with")
    course = load_course(ROOT)
    first, second = (room(course, ROOT, name) for name in ("context_vector", "all_context_vectors"))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [SOFTMARKS, "start", "mine", "--track", "book", "--course", ROOT],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        copy = Path(folder) / "mine"
        save(copy, first, first.reference())
        draw(ended(copy, "check", first.exercise.name), "check-passed")
        draw(told(copy, second, "softmax_down_the_columns"), "mistake")
        draw(ended(copy), "where-you-are")
        draw(ended(copy, "show", second.exercise.name, columns=WIDE), "show")


def save(copy: Path, place: Room, program: str) -> None:
    """Write an answer into an exercise's file."""
    (copy / f"{place.address}.py").write_text(program, encoding="utf-8")


def with_mistake(place: Room, name: str) -> str:
    """The reference of an exercise with one of its known mistakes."""
    wrong = next(one for one in place.misconceptions() if one.id == name)
    return wrong.apply(place.reference())


def ended(copy: Path, *words: str, columns: int = COLUMNS) -> Screen:
    """The screen when `softmarks` with some words has ended, the command above what it says."""
    terminal = Terminal([SOFTMARKS, *words], copy, columns=columns, lines=LINES)
    terminal.stream.feed(PROMPT.format(" ".join(words)).encode())
    terminal.leave()
    return terminal.screen


def told(copy: Path, place: Room, mistake: str) -> Screen:
    """The screen of `softmarks watch` when an answer with a mistake was saved."""
    terminal = Terminal([SOFTMARKS, "watch"], copy, lines=LINES)
    terminal.see("q quit")
    save(copy, place, with_mistake(place, mistake))
    terminal.see("means", "q quit")
    terminal.press("q")
    terminal.leave()
    return terminal.screen


def draw(screen: Screen, name: str) -> None:
    """Draw a screen into docs/pictures/."""
    target = PICTURES / f"terminal-{name}.png"
    with tempfile.TemporaryDirectory() as folder:
        page, shot = Path(folder) / "page.html", Path(folder) / "shot.png"
        page.write_text(as_html(screen), encoding="utf-8")
        command = [BROWSER, "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1400,1600"]
        command += [f"--force-device-scale-factor={SHARPNESS}", f"--screenshot={shot}", page.as_uri()]
        subprocess.run(command, capture_output=True, check=True, timeout=120)
        picture = cropped(Image.open(shot).convert("RGB"))
        picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(target, optimize=True)
    print(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1024:.0f} KiB")


def cropped(picture: Image.Image) -> Image.Image:
    """A picture without the white around it."""
    white = Image.new("RGB", picture.size, "#ffffff")
    return picture.crop(ImageChops.difference(picture, white).getbbox())


def as_html(screen: Screen) -> str:
    """A page with the screen's lines, down to the last that is written."""
    last = max(row for row, line in enumerate(screen.display) if line.strip())
    lines = "\n".join("".join(_spans(screen, row)) for row in range(last + 1))
    return HTML.format(page=PAGE, ink=INK, lines=lines)


def _spans(screen: Screen, row: int) -> Iterator[str]:
    cells = [screen.buffer[row][column] for column in range(screen.columns)]
    for style, run in itertools.groupby(cells, key=_style):
        text = html.escape("".join(cell.data for cell in run))
        yield f'<span style="{style}">{text}</span>' if style else text


def _style(cell: Char) -> str:
    ink, behind = _colour(cell.fg, INK), _colour(cell.bg, PAGE)
    if cell.reverse:
        ink, behind = behind, ink
    parts = {
        f"color: {ink}": ink != INK,
        f"background: {behind}": behind != PAGE,
        "font-weight: bold": cell.bold,
        "font-style: italic": cell.italics,
        "text-decoration: underline": cell.underscore,
        "opacity: 0.6": cell.blink,  # faint: see Screen
    }
    return "; ".join(part for part, wanted in parts.items() if wanted)


def _colour(name: str, otherwise: str) -> str:
    if name == "default":
        return otherwise
    return NAMED.get(name) or f"#{name}"


if __name__ == "__main__":
    main()
