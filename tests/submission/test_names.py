"""What file names say, and what they may do."""

from __future__ import annotations

import unicodedata

import pytest

from softmarks.submission.names import Whose, find, listing, printable, split_name, whose

NAMES = ["context_vector", "self_attention", "self_attention_v1", "causal_mask", "alibi", "4_causal"]


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("causal_mask", "causal_mask"),
        ("doe_jane_12345_causal_mask-2 (1)", "causal_mask"),
        ("Causal-Mask", "causal_mask"),
        ("CausalMask", "causal_mask"),
        ("causal mask final", "causal_mask"),
        ("causal_mask_LATE_7", "causal_mask"),
        ("self_attention_v1", "self_attention_v1"),
        ("x_self_attention_v1 (1)", "self_attention_v1"),
        ("self_attention (1)", "self_attention"),
        ("doe_4_causal", "4_causal"),
        ("4_causal_causal_mask", "causal_mask"),
        ("alibiographic", None),
        ("my_alibis", None),
        ("self_attention_v12", "self_attention"),
        ("14_causal", None),
        ("mask_causal", None),
    ],
)
def test_the_longest_whole_name_is_found(stem: str, name: str | None) -> None:
    """A name of the course is found as whole words, in any case; part of a word is no match."""
    found = find(stem, NAMES)
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("stem", "attempt"),
    [
        ("causal_mask", ()),
        ("x_77_causal_mask-2 (1)", (2, 1)),
        ("causal_mask (10)", (10,)),
        ("causal_mask_final", ()),
    ],
)
def test_numbers_after_the_name_are_the_attempt(stem: str, attempt: tuple[int, ...]) -> None:
    """Numbers before it belong to the student."""
    found = find(stem, NAMES)
    assert found is not None
    assert found.attempt == attempt


def test_composed_and_decomposed_names_are_the_same() -> None:
    """macOS writes an umlaut as two characters."""
    assert find(unicodedata.normalize("NFD", "Müller_causal_mask"), NAMES) == find(
        "Müller_causal_mask", NAMES
    )


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a.py", ("a", ".py")),
        ("A (1).PY", ("A (1)", ".py")),
        ("a.py.txt", ("a", ".py")),
        ("a.ipynb.json", ("a", ".ipynb")),
        ("a.b.zip", ("a.b", ".zip")),
        ("a.tar.gz", ("a.tar", ".gz")),
        ("a", ("a", "")),
        ("notes.txt", ("notes", ".txt")),
    ],
)
def test_kinds(name: str, parts: tuple[str, str]) -> None:
    """The kind is the suffix, without what a browser hung on."""
    assert split_name(name) == parts


@pytest.mark.parametrize(
    ("stem", "student", "number"),
    [
        ("doe_jane_12345_causal_mask-2 (1)", "doe_jane", "12345"),
        ("doejane_LATE_12345_678901_causal_mask", "doejane", "12345"),
        ("doejane_12345_678901_submission", "doejane", "12345"),
        ("Jane Doe_123456_assignsubmission_file_", "Jane Doe", "123456"),
        ("Jane Doe_123456_assignsubmission_file_causal_mask", "Jane Doe", "123456"),
        ("doe_jane_causal_mask", "doe_jane", ""),
        ("alibi_max_12345_alibi", "alibi_max", "12345"),
        ("1234567_causal_mask", "1234567", ""),
        ("causal_mask_jane", "jane", ""),
        ("causal_mask_final (2)", "", ""),
        ("causal_mask", "", ""),
        ("4_causal", "", ""),
        ("jane", "jane", ""),
        ("student_1234567", "student_1234567", ""),
        ("group_12", "group_12", ""),
        ("___", "___", ""),
    ],
)
def test_whose_work_it_is(stem: str, student: str, number: str) -> None:
    """The names that Canvas and Moodle make, and a prefix before an exercise, give the student."""
    who = whose(stem, NAMES)
    assert (who.name, who.number) == (student, number)
    assert isinstance(who, Whose)


def test_printable_names() -> None:
    """Direction marks go, what cannot be printed is replaced, joiners of Persian stay, the middle is cut."""
    assert printable("a\u202egnp.py") == "agnp.py"
    assert printable("a\x1b[31m\n") == "a�[31m�"
    assert printable("می\u200cخواهم") == "می\u200cخواهم"
    assert printable("\udce4.py") == "�.py"
    assert printable("doe_jane_12345_causal_mask.py", 20) == "doe_jane_…al_mask.py"


def test_listing() -> None:
    """Long lists end with a count."""
    assert listing("abcde") == "a, b, c, d, e"
    assert listing("abcdefg") == "a, b, c, d, e and 2 more"
