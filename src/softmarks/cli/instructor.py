"""Commands for those who teach: grade one file, grade a class."""

from __future__ import annotations

import json
from pathlib import Path

import click

from softmarks.cli.options import console, course_option, open_course, trust_option, waiting
from softmarks.cli.running import Means, means_options, run_class


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
    from softmarks.grading.unmarked import without_marks
    from softmarks.grading.workers import Wall, Worker
    from softmarks.reporting.terminal import print_verdict
    from softmarks.submission.collecting import read_file

    root, course = open_course(course_name)
    wanted = course.exercise(exercise)
    source = read_file(file, wanted)
    if source.unreadable:
        verdict = without_marks(wanted, "ungradable", None, source.unreadable, source.repairs)
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
    help="Grade only these assignments and exercises. Default: all of the course.",
)
@means_options
@course_option
def grade(
    paths: tuple[Path, ...],
    output: Path,
    only: str,
    workers: int,
    dask: str | None,
    trust: bool,
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
      softmarks grade handed-in.zip -o results --only 2_loops
    """
    from softmarks.reporting.class_table import print_class
    from softmarks.reporting.results import Results, Run
    from softmarks.submission.collecting import read_class

    root, whole = open_course(course_name)
    names = tuple(name.strip() for name in only.split(",") if name.strip())
    course = whole.part(names)
    submissions = read_class(list(paths), whole)  # a file of another assignment is no stray file
    out = console()
    with Results(output, course, [one.student for one in submissions]) as results:
        results.begin(Run(paths=tuple(str(path.resolve()) for path in paths), only=names))
        means = Means(workers, dask, trust)
        verdicts = run_class(submissions, course, root, means, done=results.add, before=results.known())
        results.finish(verdicts)
        verdicts = results.settled(verdicts)
    print_class(out, verdicts, course.title)
    out.print(
        f"\nGrades    {output / 'grades.csv'}\nOverview  {output / 'index.html'}",
        soft_wrap=True,
        markup=False,
    )
    out.print(
        f"Feedback  {output / 'feedback'}\nVerdicts  {output / 'verdicts'}", soft_wrap=True, markup=False
    )
