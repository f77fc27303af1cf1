"""`softmarks regrade`: grade a class again, and see what that changes before anything is changed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from softmarks.cli.options import console, course_option, open_course, results_argument
from softmarks.cli.running import Facts, Means, facts_options, means_options, read_work, run_class


@click.command()
@results_argument
@click.argument("paths", nargs=-1, metavar="[PATH]…", type=click.Path(path_type=Path))
@click.option("--never-lower", is_flag=True, help="Keep each mark that would become lower.")
@click.option("--yes", is_flag=True, help="Write the new marks without asking.")
@facts_options
@means_options
@course_option
def regrade(
    results: Path,
    paths: tuple[Path, ...],
    never_lower: bool,
    yes: bool,
    facts: Facts,
    means: Means,
    course_name: str | None,
) -> None:
    """Grade a class again: after a suite was repaired, or work came late.

    RESULTS is a folder that softmarks grade wrote. PATH is where the work lies; default: where it lay then.
    Only what depends on something that has changed is run. You see whose marks change and why, and are asked
    before anything is written.

    \b
    Examples:
      softmarks regrade results
      softmarks regrade results handed-in.zip --never-lower
    """
    from softmarks.course.finding import name_of
    from softmarks.grading.comparing import changes
    from softmarks.grading.comparing import never_lower as kept_higher
    from softmarks.reporting.changes import print_changes
    from softmarks.reporting.recorded import read_run, settling
    from softmarks.reporting.results import Results

    root, whole = open_course(course_name)
    run = read_run(results)
    course = whole.part(run.only)
    facts = facts.given(run)
    where = paths or tuple(map(Path, run.paths))
    submissions = read_work(where, whole, course, results, facts)
    run = run.model_copy(
        update={
            "course": name_of(root, course_name),
            "paths": tuple(str(path.resolve()) for path in where),
            "times": tuple(str(path.resolve()) for path in facts.times),
            "trust_times": facts.trust_times,
        }
    ).by(whole)
    with Results(results, course, submissions) as written:
        before = written.known()
        verdicts = run_class(
            submissions, course, root, means, done=lambda _verdict: None, before=before, seed=run.seed
        )
        if never_lower:
            verdicts = [kept_higher(before, verdict) for verdict in verdicts]
        counted = settling(results, submissions, run, facts.roster, facts.exceptions)
        old = {student: written.settled(verdict) for student, verdict in before.items()}
        found = changes(old, [*map(counted, verdicts)])
        print_changes(console(), found)
        if found and not yes:
            if not sys.stdin.isatty():
                click.echo("Nothing was written: add --yes")
                click.get_current_context().exit(1)
            click.confirm("Write these marks?", abort=True)
        written.note_once([{"what": "regrade", **change.model_dump(mode="json")} for change in found])
        written.begin(run, facts.roster, facts.exceptions)
        for verdict in verdicts:
            written.add(verdict)
        written.finish(verdicts)
    click.echo(f"\nWritten into {results}")
