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


def test_the_distribution_is_of_shares():
    """In tenths of the points of what has a mark; full marks stand with the best, no mark is none."""

    def share(points, student="x"):
        return make_verdict(student, all_right("a", points=points, max_points="10.00"), without_mark("b"))

    verdicts = [share(points) for points in ("0.00", "0.99", "1.00", "8.99", "9.00", "10.00")]
    found = tally.distribution([*verdicts, make_verdict("y", without_mark("a"))])
    assert found.tenths == (2, 1, 0, 0, 0, 0, 0, 0, 1, 2)
    assert (found.unmarked, found.median) == (1, Decimal("0.4995"))
    assert round(found.mean, 3) == Decimal("0.500")
    assert tally.distribution([make_verdict("y", without_mark("a"))]) is None
    assert tally.distribution([]) is None


def test_a_total_is_no_zero_where_nothing_has_a_mark():
    """A dash; a star where some work has no mark."""
    verdicts = [make_verdict("x", *each) for each in ([all_right()], [all_right(), without_mark()])]
    assert [tally.total_cell(each) for each in verdicts] == ["4.00", "4.00*"]
    assert tally.total_cell(make_verdict("x", without_mark())) == "–"


def test_what_a_student_has_of_an_outcome():
    """Points of its exercises that have a mark; what none of the exercises teaches is left out."""
    course = a_course()
    first, second = course.exercises[0], course.exercises[1]
    verdict = make_verdict(
        "x", all_right(first.name, points="3.00", max_points="10.00"), without_mark(second.name)
    )
    says = {outcome.id: outcome.says for outcome in course.outcomes}
    found = {one.says: (one.points, one.max_points) for one in tally.attained(verdict, course)}
    assert found == {
        says[outcome]: (3, 10) if outcome in first.outcomes else (0, 0)
        for outcome in dict.fromkeys(first.outcomes + second.outcomes)
    }


def test_all_mistakes_are_listed():
    """However many there are: a page folds what is beyond the first."""
    exercise = make_exercise(mistakes=tuple(f"mistake-{number}" for number in range(40)))
    assert len(tally.frequent_mistakes([make_verdict("x", exercise)])) == 40
