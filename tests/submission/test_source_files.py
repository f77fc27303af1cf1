"""Python files, however they were saved."""

from __future__ import annotations

import codecs
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softmarks.submission import syntax
from softmarks.submission.reading import MAX_FILE, Source, read_source

from .made import MASK, notebook

TEXT = "# Schlüssel ß €\nx = 'naïve'\n"


def read(data: bytes, filename: str = "causal_mask.py") -> Source:
    return read_source(data, filename, "causal_mask", ("causal_mask",))


def test_plain_utf8_needs_no_repair() -> None:
    """A UTF-8 file is taken as it is, as one cell, with nothing to say."""
    source = read(TEXT.encode())
    assert source == Source("causal_mask", TEXT, "causal_mask.py", (), cells=(TEXT,))


@pytest.mark.parametrize(
    ("data", "repair"),
    [
        (codecs.BOM_UTF8 + TEXT.encode(), "read as UTF-8 with a byte order mark"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "read as UTF-16"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "read as UTF-16"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "read as UTF-32"),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), "read as UTF-32"),
        (TEXT.encode("utf-16-le"), "read as UTF-16"),
        (TEXT.encode("utf-16-be"), "read as UTF-16"),
        (TEXT.encode("cp1252"), "read as Windows-1252"),
    ],
)
def test_encodings_are_recognised_and_said(data: bytes, repair: str) -> None:
    """A byte order mark, the pattern of NULs or a failed UTF-8 reading decides, and the student is told."""
    source = read(data)
    assert source.text == TEXT
    assert source.repairs == (repair,)


def test_a_declared_encoding_is_used() -> None:
    """A PEP 263 comment in the first two lines decides between UTF-8 and others."""
    text = "#!/usr/bin/env python\n# -*- coding: iso-8859-15 -*-\nx = '€'\n"
    source = read(text.encode("iso-8859-15"))
    assert source.text == text
    assert source.repairs == ("read as iso-8859-15, as a comment at its top says",)


@pytest.mark.parametrize(
    "name", ["rot13", "utf-7", "unicode_escape", "idna", "utf-16", "no-such", "punycode", "hex"]
)
def test_an_encoding_that_changes_ascii_is_not_believed(name: str) -> None:
    """A comment cannot turn plain text into another program."""
    text = f"# coding: {name}\nx = '\\x41 +AGE- é'\n"
    assert read(text.encode()).text == text


def test_a_wrong_declaration_falls_back() -> None:
    """A file that says UTF-8 and is Windows-1252 is read as what it is."""
    source = read("# coding: utf-8\nx = 'é'\n".encode("cp1252"))
    assert "é" in source.text
    assert source.repairs == ("read as Windows-1252",)


def test_bytes_that_windows_1252_lacks_are_latin_1() -> None:
    """Any byte is something in Latin-1."""
    source = read(b"x = 'long enough \x81 to be text'\n")
    assert source.repairs == ("read as Latin-1",)


@pytest.mark.parametrize(
    ("data", "text", "repairs"),
    [
        (b"a = 1\r\nb = 2\r\n", "a = 1\nb = 2\n", ()),
        (b"a = 1\rb = 2\r", "a = 1\nb = 2\n", ("converted old Macintosh line ends (CR only)",)),
        (b"a = 1\0\n", "a = 1\n", ("removed 1 NUL byte",)),
        (b"a = 1\0\0\n", "a = 1\n", ("removed 2 NUL bytes",)),
        (b"a = 1\n\x1a", "a = 1\n", ("removed an end-of-file character (Ctrl-Z) at the end",)),
        (codecs.BOM_UTF8, "", ("read as UTF-8 with a byte order mark", "the file is empty")),
        (b" \n\n", " \n\n", ("the file is empty",)),
    ],
)
def test_line_ends_nuls_and_emptiness(data: bytes, text: str, repairs: tuple[str, ...]) -> None:
    """What an editor left behind is removed, and said where Python alone would stumble."""
    source = read(data)
    assert (source.text, source.repairs, source.unreadable) == (text, repairs, "")


def test_a_file_without_a_byte_is_no_answer() -> None:
    """An upload that broke: nobody gives it a zero."""
    source = read(b"")
    assert (source.text, source.unreadable, source.empty) == ("", "the file is empty (0 bytes)", True)


def test_mixed_tabs_are_left_to_python_and_explained() -> None:
    """Python's own sentence about tabs and spaces is quoted, with the line; the text is not changed."""
    text = "if True:\n        a = 1\n\tb = 2\n"
    source = read(text.encode())
    assert source.text == text
    (repair,) = source.repairs
    assert repair.startswith("tabs and spaces are mixed; Python says: inconsistent use of tabs and spaces")
    assert repair.endswith("line 3")


def test_honest_tabs_and_other_faults_are_not_mentioned() -> None:
    """Tabs alone are fine, and a syntax error is a verdict, not a repair."""
    assert read(b"if True:\n\ta = 1\n").repairs == ()
    assert read(b"def f(:\n\tpass\n").repairs == ()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"PK\x03\x04" + b"x" * 50, "a zip archive"),
        (b"%PDF-1.7\n", "a PDF"),
        (bytes(range(256)) * 4, "not a text"),
        (b"\0" * 500, "NUL bytes"),
        (b"x" * (MAX_FILE + 1), "larger than 4 MiB"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8" * 40, "something else"),
    ],
)
def test_what_is_no_text_is_unreadable(data: bytes, why: str) -> None:
    """Binary files and giants are ungradable with a reason, not a syntax error worth zero."""
    source = read(data)
    assert why in source.unreadable
    assert (source.text, source.cells) == ("", ())


def test_a_file_of_exactly_the_limit_is_read() -> None:
    """The limit itself is allowed."""
    assert not read(b"#" * MAX_FILE).unreadable


def test_a_utf16_file_cut_in_the_middle_of_a_character() -> None:
    """The one lost character is said; the rest is read."""
    source = read(codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le")[:-1])
    assert source.text.startswith(TEXT[:-1])
    assert source.repairs == ("read as UTF-16; 1 character could not be read",)


def test_a_notebook_called_py_is_read_as_one() -> None:
    """A renamed notebook is recognised by its content."""
    source = read(notebook({"cell_type": "code", "source": MASK}))
    assert source.text == f"# cell 1\n{MASK.rstrip()}"
    assert source.repairs == ("the file is a notebook; read as one",)


def test_nothing_is_compiled() -> None:
    """Constants are not folded: a program of 18 kB that takes the compiler 7 GB is parsed in little."""
    program = (
        "import resource; from softmarks.submission.syntax import fault\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "print(fault('x=' + '+'.join([\"'a'*4000\"] * 2000)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "None\n"


@pytest.mark.parametrize(
    "source", ["-" * 100_000 + "1", "1" + "+1" * 40_000, "(" * 300, "x = '\ud800'", "a\0b"]
)
def test_the_parser_survives_hostile_text(source: str) -> None:
    """Too deep, half characters, NULs: each is a fault in words."""
    assert isinstance(syntax.fault(source), SyntaxError)


def test_a_fault_is_told_with_its_line() -> None:
    """The parser's sentence and the line."""
    error = syntax.fault("a = 1\nb = (\n")
    assert error is not None
    assert syntax.in_words(error) == "'(' was never closed, line 2"


@settings(max_examples=50, deadline=None)
@given(
    data=st.binary(max_size=400),
    name=st.sampled_from(["a.py", "a.ipynb", "a"]),
    mark=st.sampled_from([b"", b"\xff\xfe", b"# coding: "]),
)
def test_reading_never_raises(data: bytes, name: str, mark: bytes) -> None:
    """Any bytes give a source: text that can be stored as UTF-8, or a reason."""
    source = read(mark + data, name)
    source.text.encode()
    assert source.text == "\n\n".join(source.cells)
    assert not (source.text and source.unreadable)
    assert "\0" not in source.text
    assert "\r" not in source.text


def test_warnings_of_the_parser_are_not_faults() -> None:
    """A doubtful escape is the student's affair, and no warning of ours."""
    assert syntax.fault("a = '\\d'\n") is None
