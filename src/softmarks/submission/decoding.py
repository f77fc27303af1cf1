"""From the bytes of a file to its text, whatever editor saved them, with every repair in words."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from softmarks.submission import Unreadable

SIGNATURES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
)
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8 with a byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
ORDINARY = "\\n +a- .xn--fa-hia"  # what codecs that transform ASCII change: utf-7, idna, unicode_escape, …
CONTROLS = [chr(code) for code in range(1, 32) if chr(code) not in "\t\n\f\r"]
DAMAGE = 20  # a text of which a twentieth or more is damaged is no text


@dataclass(frozen=True)
class Decoded:
    """A text with ``\\n`` line ends, without NUL characters, and what was done to obtain it."""

    text: str
    repairs: tuple[str, ...]


def signature(data: bytes) -> str | None:
    """What kind of file the first bytes announce (``a zip archive``), or None for what may be text."""
    return next((what for start, what in SIGNATURES if data.startswith(start)), None)


def decode(data: bytes) -> Decoded:
    """The text of ``data``: a byte order mark decides, else its NULs, its PEP 263 line, UTF-8, Windows-1252.

    Raises Unreadable for what is no text.
    """
    what = signature(data)
    if what is not None:
        raise Unreadable(f"this is {what}, not a text")
    text, how = _characters(data)
    repairs = [f"read as {how}"] if how else []
    if text.endswith("\x1a"):
        text = text.rstrip("\x1a")
        repairs.append("removed an end-of-file character (Ctrl-Z) at the end")
    if text and sum(map(text.count, CONTROLS)) * DAMAGE >= len(text):
        raise Unreadable("this is not a text, it holds binary data")
    nuls = text.count("\0")
    if nuls * 3 >= max(len(text), 1):
        raise Unreadable("the file holds mostly NUL bytes, as after a failed save or upload")
    if nuls:
        text = text.replace("\0", "")
        repairs.append(f"removed {nuls} NUL byte{'s' * (nuls > 1)}")
    if "\r" in text:
        if "\n" not in text:
            repairs.append("converted old Macintosh line ends (CR only)")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, tuple(repairs))


def _characters(data: bytes) -> tuple[str, str]:
    """The decoded text, and how it was read ("" for plain UTF-8)."""
    for mark, encoding, how in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _wide(data[len(mark) :], encoding, how)
    zeros_even, zeros_odd = data[0::2].count(0), data[1::2].count(0)
    if zeros_odd * 4 > len(data) and zeros_even * 8 < len(data):
        return _wide(data, "utf-16-le", "UTF-16")
    if zeros_even * 4 > len(data) and zeros_odd * 8 < len(data):
        return _wide(data, "utf-16-be", "UTF-16")
    for encoding, how in (_declared(data), ("utf-8", ""), ("cp1252", "Windows-1252"), ("latin-1", "Latin-1")):
        try:
            return data.decode(encoding), how
        except UnicodeError:
            continue
    raise AssertionError("Latin-1 reads any bytes")


def _wide(data: bytes, encoding: str, how: str) -> tuple[str, str]:
    try:
        return data.decode(encoding), how
    except UnicodeError:
        text = data.decode(encoding, "replace")
    lost = text.count("\ufffd")
    if lost * DAMAGE >= len(text):
        raise Unreadable(f"the file begins as {how}, but most of it is something else")
    return text, f"{how}; {lost} character{'s' * (lost > 1)} could not be read"


def _declared(data: bytes) -> tuple[str, str]:
    """The encoding that a comment in the first two lines names; UTF-8 if there is none that can be used."""
    for line in re.split(rb"\r\n|\r|\n", data[:1000], maxsplit=2)[:2]:
        if found := COOKIE.match(line):
            name = found[1].decode("ascii", "replace")
            try:
                plain = ORDINARY.encode("ascii").decode(name) == ORDINARY
                codec = codecs.lookup(name).name
            except (LookupError, ValueError):
                break
            return (
                (codec, "" if codec == "utf-8" else f"{name}, as a comment at its top says")
                if plain
                else ("utf-8", "")
            )
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return "utf-8", ""
