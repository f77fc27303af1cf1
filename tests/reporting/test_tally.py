"""What a class's verdicts add up to."""

from __future__ import annotations

from decimal import Decimal

from softmarks.reporting import tally
from softmarks.reporting.wording import OUTCOME_WORDS, confinement_words, status_words, tone
from softmarks.verdict import Outcome

from .made import a_course, all_right, make_check, make_exercise, make_message, make_verdict, without_mark


def test_means_are_over_those_who_have_a_mark(class_verdicts):
    """An ungradable exercise is left out of a mean, a missing one is in it as zero."""
    means = {column.exercise: column.mean for column in tally.columns(class_verdicts)}
    assert means == {
        "causal_mask": Decimal("2.80"),
        "causal_attention": Decimal("4.25"),
        "split_heads": Decimal("2.67"),
    }
    assert tally.total_mean(class_verdicts) == Decimal("9.17")
    assert tally.total_mean([]) is None


def test_a_student_counts_once_for_a_mistake():
    """A mistake that explains several checks of one student is one student's."""
    twice = make_exercise(
        mistakes=("no-scale", "no-scale"), messages=(make_message(mistake="no-scale", says="Unscaled."),)
    )
    other = make_exercise(mistakes=("mask-after-softmax",))
    found = tally.frequent_mistakes(
        [make_verdict("a", twice), make_verdict("b", twice), make_verdict("c", other)]
    )
    assert [(each.name, each.students, each.says) for each in found] == [
        ("no-scale", 2, "Unscaled."),
        ("mask-after-softmax", 1, "The mask is applied after the softmax, so rows no longer sum to one."),
    ]


def test_what_deserves_a_look_is_grouped_by_what_happened():
    """Hangs and crashes are found by outcome; work without a mark is in the other list alone."""
    crash = make_exercise("b", checks=(make_check(outcome=Outcome.KILLED),))
    verdicts = [
        make_verdict("x", make_exercise("a"), crash),
        make_verdict("y", without_mark(status="grader-error")),
    ]
    look = tally.worth_a_look(verdicts)
    assert {words: [(c.student, c.exercises) for c in cases] for words, cases in look.items()} == {
        "ran out of time": [("x", ("a",))],
        "crashed the program": [("x", ("b",))],
    }
    assert list(tally.without_a_mark(verdicts)) == ["grader error"]


def test_exercises_that_lack_a_mark_for_one_reason_are_one_case():
    """A student who handed in nothing is one line, not one an exercise."""
    verdict = make_verdict("x", without_mark("a", "missing"), without_mark("b", "missing"), all_right())
    [case] = tally.without_a_mark([verdict])["missing"]
    assert case.exercises == ("a", "b")


def test_cells_are_points_or_a_short_word():
    """A word says why there is no mark; a missing exercise says missing, not 0.00."""
    given = [
        all_right(),
        None,
        *(without_mark(status=s) for s in ("missing", "ungradable", "grader-error", "needs-a-person")),
    ]
    assert [tally.cell(each) for each in given] == ["4.00", "–", "missing", "ungradable", "error", "by hand"]


def test_every_outcome_has_words_and_a_tone():
    """No outcome is shown by its identifier."""
    for outcome in Outcome:
        assert "-" not in OUTCOME_WORDS[outcome]
        assert tone(outcome) in ("good", "bad", "quiet", "caution")


def test_confinement_is_named_or_its_absence_is():
    """The last line names the wall, says that there was none, or that nothing ran."""
    assert confinement_words([all_right(), without_mark()]) == "Run confined (Landlock 6, seccomp)."
    bare = all_right(confined=False, confinement="none")
    assert confinement_words([bare]).startswith("Run unconfined")
    assert confinement_words([all_right(), bare]).endswith("but 1 exercise unconfined.")
    assert confinement_words([without_mark()]) == "Nothing was run."


def test_status_counts_checks():
    """What passed is counted; the public suite is called so."""
    assert status_words(make_exercise()) == "2 of 6 checks passed"
    assert status_words(all_right(suite="public")) == "all checks passed"
    held_back = "2 hidden checks (mask) run when you submit"
    assert status_words(all_right(suite="public", held_back=held_back)) == "public checks passed"
    assert status_words(without_mark()) == "ungradable"


def test_the_hardest_checks_are_those_that_most_of_the_judged_fail():
    """By the share of those whom a check judged; not reached, not written and worth nothing do not count."""
    often = make_check("often", Outcome.WRONG_VALUE, says="Often.")
    seldom = make_check("seldom", Outcome.WRONG_VALUE, says="Seldom.")
    fine, unjudged = make_check("seldom", says="Seldom."), make_check("far", Outcome.NOT_REACHED, says="Far.")
    free = make_check("free", Outcome.WRONG_VALUE, says="Free.", max_points="0.00")
    classes = [(often, seldom, unjudged), (often, fine, free), (often, fine), (unjudged, seldom)]
    verdicts = [make_verdict(str(n), make_exercise("a", checks=checks)) for n, checks in enumerate(classes)]
    found = [(check.says, check.failed, check.judged) for check in tally.hardest_checks(verdicts)]
    assert found == [("Often.", 3, 3), ("Seldom.", 2, 4)]


def test_mastery_is_a_share_of_points():
    """Of the exercises that teach an outcome; work without a mark is left out, missing work is none."""
    course = a_course()
    outcome = course.outcomes[0]
    names = [one.name for one in course.exercises if outcome.id in one.outcomes]
    half = make_exercise(names[0], points="5.00", max_points="10.00")
    missing = without_mark(names[0], "missing", max_points="10.00")
    verdicts = [
        make_verdict("a", half),
        make_verdict("b", missing),
        make_verdict("c", without_mark(names[0])),
    ]
    found = next(one for one in tally.mastery(verdicts, course) if one.says == outcome.says)
    assert found.shares == (Decimal("0.5"), Decimal(0), None)
    assert found.mean == Decimal("0.25")
