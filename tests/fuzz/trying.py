"""What the targets share: how many examples, how long one may take, odd values, damaged bytes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

QUICK_SECONDS = 40  # what all targets would take if all examples were as large as they become
FACTOR = max(1.0, 60 * float(os.environ.get("FUZZ_MINUTES", "0")) / QUICK_SECONDS)
CHECKS = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture)


def tried(examples: int) -> Callable[[Any], Any]:
    """Settings of a target: so many examples in `make test`, more where FUZZ_MINUTES leaves time for them."""
    return settings(
        max_examples=round(examples * FACTOR), deadline=None, suppress_health_check=CHECKS, database=None
    )


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """The block takes no more of this process's CPU time than that."""
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


ODD_WORDS = (
    "",
    "'",
    '"',
    "=1+1",
    "@a",
    "-3",
    "+4",
    "\t=1",
    "a;=1",
    "\0",
    "\r",
    "\n",
    "\u2028",
    "\x85",
    "\ud800",
    "\udcff",
    "\u202e",
    "\ufeff",
    "\u200d",
    "é",
    "李小龙",
    "NaN",
    "sNaN",
    "1e999",
    "-0",
    "inf",
    "9" * 400,
    "../x",
    "/",
    "C:\\x",
    "con",
    "a" * 300,
    "_ " * 40,
    "_" * 60,
    "nan",
    "null",
    "<script>alert(1)</script>",
    "]]>",
    "{{1}}",
    "[a](b)",
    "`",
    "%s",
    "2027-03-19T18:00:00+01:00",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    "2027-03-19",
)


@st.composite  # what is composite has a short name in a report
def odd_words(draw: Any) -> str:
    """A word that has broken something somewhere, or any text."""
    return draw(st.sampled_from(ODD_WORDS) | st.text(st.characters(), max_size=12))


words = odd_words()
numbers = st.integers(-3, 30) | st.sampled_from(
    [2**31, 2**53, 2**63, 2**64, -(2**63), 10**400, 0.5, 1e308, float("inf"), float("nan")]
)
leaves = st.none() | st.booleans() | numbers | words


@st.composite
def any_json(draw: Any) -> Any:
    """Whatever JSON can say, and NaN."""
    return draw(
        st.recursive(
            leaves,
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
            max_leaves=12,
        )
    )


anything = any_json()


def nearly(form: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A dictionary with these fields, some of which are missing or anything, and perhaps one more."""
    fields = {name: values | values | values | anything for name, values in form.items()}
    exact = st.fixed_dictionaries(form)
    return (
        exact
        | st.fixed_dictionaries({}, optional=fields)
        | st.builds(dict.__or__, exact, st.dictionaries(words, anything, max_size=2))
    )


@st.composite
def damaged(draw: Any, samples: st.SearchStrategy[bytes]) -> bytes:
    """Bytes of a sample with a few of them overwritten, doubled, cut out or cut off."""
    data = bytearray(draw(samples))
    for _ in range(draw(st.integers(0, 4))):
        at, length = draw(st.integers(0, max(len(data) - 1, 0))), draw(st.integers(0, 40))
        match draw(st.sampled_from(["write", "bits", "double", "cut", "end", "large"])):
            case "write":
                noise = draw(st.binary(max_size=12))
                data[at : at + len(noise)] = noise
            case "bits" if data:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case "double":
                data[at:at] = data[at : at + length]
            case "cut":
                del data[at : at + length]
            case "end":
                del data[at:]
            case "large":
                data[at : at + 4] = draw(
                    st.sampled_from([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f"])
                )
    return bytes(data)
