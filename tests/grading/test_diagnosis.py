"""Which mistakes are named, from how programs fare: what is said is there, and what is not sure says so."""

import pytest

from softmarks.grading.diagnosis import Part, diagnose
from softmarks.grading.signature import PASSED, Signature
from softmarks.verdict import Outcome

CASES = ("shape/0", "values/0", "values/1", "mask/0", "device/0")


def wrong(what, **more):
    """The signature of a wrong answer."""
    return Signature(**{"outcome": Outcome.WRONG_VALUE, "form": what, "loose": what, **more})


def raised(what, loose="crash"):
    """The signature of an error."""
    return Signature(outcome=Outcome.RAISED, form=what, loose=loose, raised=True)


def fares(**ends):
    """How a program fares: every case passed but these."""
    return dict.fromkeys(CASES, PASSED) | {name.replace("_", "/"): end for name, end in ends.items()}


SINGLES = {
    "scale": fares(values_0=wrong("scale"), values_1=wrong("scale 1")),
    "mask": fares(mask_0=wrong("mask"), values_0=wrong("mask in values")),
    "device": fares(device_0=wrong("device")),
    "crash": fares(**{case.replace("/", "_"): raised("boom") for case in CASES}),
}


def test_one_that_behaves_the_same_is_named():
    """It explains every failed case."""
    found = diagnose(SINGLES["scale"], SINGLES, None)
    assert found.parts == (Part(("scale",), ("values/0", "values/1")),)
    assert found.mistakes == ("scale",)
    assert not found.rest
    assert not found.resembles


def test_two_that_look_the_same_are_told_as_one_of_both():
    """Neither is said to be there for sure."""
    found = diagnose(SINGLES["device"], {**SINGLES, "twin": SINGLES["device"]}, None)
    assert found.parts == (Part(("device", "twin"), ("device/0",)),)


def test_who_passes_what_it_fails_has_not_made_it():
    """A misconception that fails what the student passed is not named, even where it is equal."""
    assert diagnose(fares(values_0=wrong("scale")), SINGLES, None) is None


def test_two_that_fail_different_cases_need_no_table():
    """Each is seen in its own cases."""
    student = fares(values_0=wrong("scale"), values_1=wrong("scale 1"), device_0=wrong("device"))
    found = diagnose(student, SINGLES, None)
    assert {part.ids for part in found.parts} == {("scale",), ("device",)}
    assert not found.resembles


def table(**pairs):
    """Pairs that somebody has played."""
    return lambda several, _cases: [pairs.get("_and_".join(ids)) for ids in several]


def test_two_that_meet_in_a_case_are_looked_up():
    """Together they give a third answer there, which neither gives alone."""
    both = fares(values_0=wrong("both"), values_1=wrong("scale 1"), mask_0=wrong("mask"))
    found = diagnose(both, SINGLES, table(scale_and_mask=both))
    assert found.parts == (
        Part(("scale",), ("values/0", "values/1")),
        Part(("mask",), ("mask/0", "values/0")),
    )
    assert found.mistakes == ("scale", "mask")


def test_a_pair_that_differs_in_one_case_is_not_named():
    """Nor is one that fails what the student passed."""
    both = fares(values_0=wrong("both"), values_1=wrong("scale 1"), mask_0=wrong("mask"))
    other = both | {"values/1": wrong("otherwise")}
    more = both | {"device/0": wrong("device")}
    for played in (table(scale_and_mask=other), table(scale_and_mask=more)):
        found = diagnose(both, SINGLES, played)
        assert found is None or not {"scale", "mask"} <= set(found.mistakes)


def test_one_that_is_there_beside_something_unknown():
    """It is named, and it is said that it is not all."""
    student = fares(device_0=wrong("device"), values_0=wrong("nobody knows"))
    found = diagnose(student, SINGLES, table())
    assert found.parts == (Part(("device",), ("device/0",)),)
    assert found.rest == ("values/0",)


def test_equal_errors_alone_prove_nothing_beside_something_unknown():
    """Many programs break in the same way."""
    singles = {"short": fares(values_0=raised("boom"))}
    student = fares(values_0=raised("boom"), mask_0=wrong("nobody knows"))
    assert diagnose(student, singles, None) is None


def test_an_error_that_is_the_same_everywhere_names():
    """Every case ends with the same error."""
    assert diagnose(SINGLES["crash"], SINGLES, None).mistakes == ("crash",)


def test_an_error_in_other_words_only_resembles():
    """The program breaks where the misconception does, about the same sizes: it looks like it."""
    student = fares(**{case.replace("/", "_"): raised("bang") for case in CASES})
    found = diagnose(student, SINGLES, None)
    assert found.parts[0].ids == ("crash",)
    assert found.resembles
    assert found.mistakes == ()


def test_what_resembles_it_everywhere_and_equals_it_where_it_speaks_is_sure():
    """A random draw differs between programs; where nothing is drawn they agree."""
    singles = {
        "halved": fares(
            values_0=wrong("plain", numbers=(1.0, 0.5)),
            mask_0=wrong("drawn", drawn=(3.0, 1.0), laws=(0.2, 0.5)),
        )
    }
    student = fares(
        values_0=wrong("plain", numbers=(1.0, 0.5)),
        mask_0=wrong("drawn", drawn=(-7.0, 1.0), laws=(0.22, 0.5)),
    )
    assert diagnose(student, singles, None).mistakes == ("halved",)
    other = student | {"mask/0": wrong("drawn", drawn=(-7.0, 1.0), laws=(0.6, 0.5))}
    assert diagnose(other, singles, None) is None


@pytest.mark.parametrize("outcome", [Outcome.TIMED_OUT, Outcome.MISSING, Outcome.KILLED])
def test_ends_that_tell_nothing_name_nothing(outcome):
    """A program that was stopped has behaved in no way."""
    assert diagnose(fares(values_0=Signature(outcome=outcome)), SINGLES, table()) is None


def test_answers_without_numbers_name_nothing():
    """An answer that is NaN almost everywhere could be anybody's."""
    nan = {"nan": fares(values_0=wrong("nan", telling=False))}
    assert diagnose(nan["nan"], nan, None) is None
