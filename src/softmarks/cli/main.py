"""The `softmarks` command: what it is called with, and how it ends when something is wrong."""

from __future__ import annotations

import sys
import traceback

import click

from softmarks import __version__
from softmarks.cli import (
    author,
    exporting,
    forgetting,
    gradescope,
    handing_in,
    instructor,
    judging,
    learner,
    locking,
    nbgrader,
    oral,
    regrading,
    releasing,
    studying,
    watching,
)
from softmarks.cli.options import course_option
from softmarks.errors import SoftmarksError

LONGEST = 200  # characters of a command's sentence, which is wrapped
EPILOG = """
Exit status: 0 everything passed, or is done; 1 something did not pass; 2 a wrong name, file or
course; 3 the grader failed; 130 stopped. Add --debug for a traceback.
"""


PANELS: dict[str, list[click.Command]] = {
    "Learn": [
        studying.start,
        studying.read,
        learner.check,
        studying.hint,
        watching.watch,
        learner.show,
        studying.debug,
        studying.doctor,
        handing_in.submit,
        learner.completion,
    ],
    "Teach": [
        instructor.mark,
        instructor.grade,
        regrading.regrade,
        judging.review,
        judging.override,
        oral.oral,
        exporting.export,
        forgetting.forget,
        nbgrader.nbgrader,
        releasing.release,
        locking.lock,
    ],
    "Write": [author.audit, author.build, author.new, author.new_course],
}


class Panels(click.Group):
    """A group whose help lists its commands under the three things that people come for."""

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of commands for each panel."""
        for panel, commands in PANELS.items():
            with formatter.section(panel):
                formatter.write_dl([(one.name or "", one.get_short_help_str(LONGEST)) for one in commands])


@click.group(
    cls=Panels,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
)
@click.version_option(__version__, prog_name="softmarks")
@click.option("--debug", is_flag=True, help="Show a traceback when something fails.")
@course_option
@click.pass_context
def softmarks(context: click.Context, debug: bool, course_name: str | None) -> None:  # noqa: ARG001
    """Programming exercises that are graded where student code cannot reach the verdict.

    Without a command: the course that is found here, its assignments and exercises.
    """
    if context.invoked_subcommand is None:
        learner.show_course(course_name)
    elif course_name is not None:
        raise click.UsageError(f"write --course after {context.invoked_subcommand}")


for commands in PANELS.values():
    for command in commands:
        softmarks.add_command(command)
softmarks.add_command(gradescope.gradescope)  # what a container calls, for nobody's eyes


def main() -> None:
    """Run the command line; every expected fault is one clear line."""
    debug = "--debug" in sys.argv[1:]
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    try:
        status = softmarks.main(arguments, prog_name="softmarks", standalone_mode=False)
    except SoftmarksError as error:
        status = _told(str(error), error.exit_code, debug)
    except click.Abort:
        status = _told("stopped", 130, debug)
    except KeyboardInterrupt:
        status = _told("stopped", 130, debug)
    except click.ClickException as error:
        error.show()
        status = 2
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stderr.close()
        status = 0
    except Exception as error:
        words = f"the grader failed: {type(error).__name__}: {error}. Please report this; --debug shows where"
        status = _told(words, 3, debug)
    sys.exit(status if isinstance(status, int) else 0)


def _told(words: str, status: int, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    click.echo(f"softmarks: {words}", err=True)
    return status
