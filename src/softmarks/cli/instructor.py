"""Commands for those who teach: grade one file, grade a class."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from softmarks.cli.in_docker import in_docker_option
from softmarks.cli.options import console, course_option, open_course, trust_option, waiting
from softmarks.cli.running import Facts, Means, facts_options, means_options, read_work, run_class
from softmarks.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from softmarks.course.course import Course
    from softmarks.reporting.recorded import Run
    from softmarks.reporting.results import Results
    from softmarks.submission.collecting import Submission
    from softmarks.verdict import Verdict


@click.command()
@click.argument("exercise")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@trust_option
@course_option
def mark(exercise: str, file: Path, as_json: bool, trust: bool, course_name: str | None) -> None:
    """Grade one FILE (.py or .ipynb) against one EXERCISE with the hidden suite.

    Exit status 0 means full marks, 1 fewer.

    \b
    Examples:
      softmarks mark word_count handed-in/word_count.py
      softmarks mark word_count answer.ipynb --json
    """
    from softmarks.errors import GraderError
    from softmarks.grading.classroom import marked
    from softmarks.grading.unmarked import unreadable
    from softmarks.grading.workers import Wall, Worker
    from softmarks.reporting.terminal import print_verdict
    from softmarks.submission.collecting import read_file

    root, course = open_course(course_name)
    wanted = course.exercise(exercise)
    source = read_file(file, wanted)
    if source.unreadable:
        verdict = unreadable(wanted, source)
    else:
        wall: Wall = "optional" if trust else "proved"
        with waiting(f"Grading {file.name}…"), Worker(root, wall) as worker:
            verdict = marked(worker, source)
    if as_json:
        click.echo(json.dumps(verdict.model_dump(mode="json"), indent=2))
    if verdict.status == "grader-error":
        raise GraderError(verdict.note)
    if not as_json:
        print_verdict(console(), verdict)
    if not verdict.full_marks:
        click.get_current_context().exit(1)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where the results go.",
)
@click.option(
    "--only",
    metavar="NAME[,NAME]…",
    default="",
    help="Grade only these assignments and exercises; or run STUDENT/NAME again, and keep all other marks.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=0, metavar="N", show_default=True,
    help="What the inputs of hidden checks are drawn by: another number, other inputs.",
)  # fmt: skip
@click.option("--pseudonyms", is_flag=True, help="Name nobody on the pages; pages.csv says who is who.")
@in_docker_option
@facts_options
@means_options
@course_option
def grade(
    paths: tuple[Path, ...],
    output: Path,
    only: str,
    seed: int,
    pseudonyms: bool,
    facts: Facts,
    means: Means,
    course_name: str | None,
) -> None:
    """Grade a class with the hidden suites.

    Each PATH is a folder (or a zip) of students: one folder, zip or notebook a student, inside it the layout
    of exercises/ or plain file names. DIR receives grades.csv, index.html, a verdict and a feedback page
    for each student. A run that was stopped goes on where it was: what is there already, and depends on
    nothing that has changed since, is not run again.

    \b
    Examples:
      softmarks grade examples/classroom/submissions -o results
      softmarks grade handed-in.zip -o results --only 2_loops --roster roster.csv
      softmarks grade handed-in.zip -o results --only ada17/word_count
      softmarks grade handed-in.zip -o results --in-docker softmarks
    """
    from softmarks.course.finding import name_of
    from softmarks.reporting.class_table import print_class
    from softmarks.reporting.recorded import RUN, Run, read_run, settling
    from softmarks.reporting.results import Results
    from softmarks.reporting.trail import cut_off

    root, whole = open_course(course_name)
    names, picks = _wanted(only, whole)
    run = Run(
        course=name_of(root, course_name),
        paths=tuple(str(path.resolve()) for path in paths),
        only=names,
        seed=seed,
        times=tuple(str(path.resolve()) for path in facts.times),
        trust_times=facts.trust_times,
        pseudonyms=pseudonyms,
    )
    _refuse_within(paths, output)
    if (output / RUN).is_file():
        before = read_run(output)
        if picks:
            run = before.model_copy(update={"course": run.course})
            facts = facts.given(run)
        _refuse_losses(before, run, root, whole, output)
    course = whole.part(run.only)
    submissions = read_work(paths, whole, course, output, facts)
    settling(output, submissions, run.by(whole), facts.roster, facts.exceptions)  # is all of it sound?
    with Results(output, course, submissions) as results:
        results.begin(run.by(whole), facts.roster, facts.exceptions)
        try:
            if picks:
                verdicts = _again(picks, submissions, course, root, means, results, run.seed)
            else:
                verdicts = run_class(
                    submissions, course, root, means, done=results.add, before=results.known(), seed=run.seed
                )
        except KeyboardInterrupt:
            click.echo("What is graded is kept; run the same command again", err=True)
            raise
        results.finish(verdicts)
        verdicts = [*map(results.settled, verdicts)]
        notes = [*results.settled.notes(), *filter(None, [cut_off(output)])]
    out = console()
    print_class(out, verdicts, course.title)
    for note in notes:
        out.print(note, soft_wrap=True, markup=False)
    out.print(
        f"\nGrades    {output / 'grades.csv'}\nOverview  {output / 'index.html'}",
        soft_wrap=True,
        markup=False,
    )
    out.print(
        f"Feedback  {output / 'feedback'}\nVerdicts  {output / 'verdicts'}", soft_wrap=True, markup=False
    )


def _refuse_within(paths: Sequence[Path], output: Path) -> None:
    """Raise UsageError for results among the work: they would be read as students'."""
    for path in paths:
        if output.resolve().is_relative_to(path.resolve()):
            fix = "Choose another folder with -o"
            raise UsageError("the results would lie among the work", where=output, fix=fix)


def _refuse_losses(before: Run, now: Run, root: Path, whole: Course, output: Path) -> None:
    """Raise UsageError where a run would take marks out of a folder, or give them by another course."""
    from softmarks.course.finding import course_called

    other = "or choose another folder with -o"
    earlier = None
    with suppress(UsageError):  # a course that is not there any more may have been moved
        earlier = course_called(before.course) if before.course not in ("", now.course) else None
    if earlier is not None and earlier != root:
        what = f"its marks come from the course {before.course}, and this is {now.course}"
        fix = f"Add --course {before.course}, {other}; softmarks regrade shows what another course changes"
        raise UsageError(what, where=output, fix=fix)
    known = {one.name for one in whole.exercises} | {part.name for part in whole.assignments}
    only = [name for name in before.only if name in known]
    if before.only and not only:
        return
    kept = {one.name for one in whole.part(now.only).exercises}
    had = {one.name: None for one in whole.part(only).exercises}
    lost = [name for name in had if name not in kept]
    if lost:
        what = f"it holds marks of {', '.join(lost[:3])}{' …' * (len(lost) > 3)}, which this run leaves out"
        names = ",".join(dict.fromkeys((*only, *now.only)))
        fix = f"Name it with the others (--only {names}) and give all the work, {other}"
        raise UsageError(what, where=output, fix=fix if only else f"Leave --only out, {other}")
    gone = [path for path in before.paths if path not in now.paths]
    if gone and kept != set(had):
        what = f"it holds marks of work that this run is not given: {', '.join(gone)}"
        raise UsageError(what, where=output, fix=f"Name that work as well, {other}")


def _wanted(only: str, whole: Course) -> tuple[tuple[str, ...], dict[str, set[str]]]:
    """The names in ``--only``: parts of the course; and exercises by student, where those are named.

    Raises UsageError for a name that is none, and for both at once.
    """
    given = [name.strip() for name in only.split(",") if name.strip()]
    addresses = {f"{one.assignment}/{one.name}": one.name for one in whole.exercises}
    names: list[str] = []
    picks: dict[str, set[str]] = {}
    for name in given:
        student, slash, part = name.rpartition("/")
        if name in addresses:
            names.append(addresses[name])
        elif slash:
            chosen = whole.part([part] if part else [])
            picks.setdefault(student, set()).update(one.name for one in chosen.exercises)
        else:
            names.append(name)
    if picks and names:
        raise UsageError(
            "--only names parts of the course and students at once", fix="Run it twice: one of each"
        )
    return (tuple(sorted(set[str]().union(*picks.values()))) if picks else tuple(names)), picks


def _again(
    picks: Mapping[str, set[str]],
    submissions: Sequence[Submission],
    course: Course,
    root: Path,
    means: Means,
    results: Results,
    seed: int,
) -> list[Verdict]:
    """Run some exercises of some students again, and keep all other verdicts. Those of the whole class."""
    from softmarks.grading.classroom import with_exercises
    from softmarks.reporting.recorded import read_machine_verdicts, student_called

    again: dict[str, set[str]] = {}
    for student, parts in picks.items():
        again.setdefault(student_called(results.folder, submissions, student), set()).update(parts)
    before: dict[str, Verdict] = {}
    if any((results.folder / "verdicts").iterdir()):  # one that cannot be read would have no row afterwards
        before = {verdict.student: verdict for verdict in read_machine_verdicts(results.folder)}

    def done(verdict: Verdict) -> None:
        whole = with_exercises(before.get(verdict.student), verdict, again[verdict.student])
        before[verdict.student] = whole
        results.add(whole)

    chosen = [
        replace(one, sources={name: one.sources[name] for name in one.sources if name in again[one.student]})
        for one in submissions
        if one.student in again
    ]
    run_class(chosen, course, root, means, done=done, before={}, seed=seed)
    return sorted(before.values(), key=lambda verdict: verdict.student.casefold())
