"""`softmarks oral`: questions for an oral examination, from a student's own code."""

from __future__ import annotations

from pathlib import Path

import click

from softmarks.cli.options import console, course_option, open_course, results_argument, trust_option, waiting


@click.command()
@results_argument
@click.argument("student")
@click.option("--exercise", metavar="NAME", help="Ask about this one only.")
@trust_option
@course_option
def oral(results: Path, student: str, exercise: str | None, trust: bool, course_name: str | None) -> None:
    """Three questions for an oral examination of STUDENT, with their answers.

    Each is about one line of the student's own code: if it read otherwise, what would change? The answer is
    found by grading the altered program. Known mistakes come first, and exercises with good marks. The same
    work gives the same questions; two students who wrote the same may be asked about other lines.

    \b
    Examples:
      softmarks oral results ada17
      softmarks oral results ada17 --exercise word_count > questions.txt
    """
    from softmarks.course.rooms import room
    from softmarks.errors import UsageError
    from softmarks.grading.oral import ask, find_work
    from softmarks.grading.workers import Worker
    from softmarks.reporting.oral import print_oral
    from softmarks.reporting.recorded import read_run, read_verdicts, student_called
    from softmarks.submission.collecting import read_class

    root, course = open_course(course_name)
    verdicts = read_verdicts(results)
    student = student_called(results, verdicts, student)
    paths = [Path(path) for path in read_run(results).paths]
    for path in paths:
        if not path.exists():
            fix = "Put it back there, or grade the class again"
            raise UsageError("the work is not where it was graded", where=path, fix=fix)
    work = find_work(
        student, verdicts, read_class(paths, course), lambda name: room(course, root, name), exercise
    )
    with (
        waiting(f"Trying what {student} might be asked…"),
        Worker(root, "optional" if trust else "proved") as worker,
    ):
        questions, tried = ask(student, work, worker.mark)
    print_oral(console(), student, questions, tried)
    if not questions:
        click.get_current_context().exit(1)
