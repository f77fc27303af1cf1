"""`softmarks grade --in-docker IMAGE`: the same command, in a container that has nothing but its work.

Paths keep their names inside, so that what is written there is right here too. The container has no network
and no rights, and its files cannot be changed, but for the results. Around each program stands the same wall
as outside, and it is proved there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click
from click.core import ParameterSource

from softmarks.cli.options import F
from softmarks.errors import UsageError

ANSWERS_IN = 20  # seconds
MEMORY_GB = 2  # for each worker: itself, its warm process and a host
PROCESSES = 256  # and threads, for each worker


def in_docker_option(command: F) -> F:
    """The option that has a command run in a container. The command writes into ``output`` alone."""

    @wraps(command)
    def run(*, in_docker: str | None, **values: Any) -> Any:
        if not in_docker:
            return command(**values)
        context = click.get_current_context()
        if values["dask"]:
            raise UsageError(
                "a container without a network reaches no cluster", fix="Leave out --dask or --in-docker"
            )
        _look_for(in_docker)
        values["output"].mkdir(mode=0o700, parents=True, exist_ok=True)
        words, paths = _again(context)
        return os.execvp("docker", _docker(in_docker, words, paths, values["output"], values["workers"]))

    option = click.option("--in-docker", metavar="IMAGE", help="Grade in a container of this image.")
    return cast("F", option(run))


def _look_for(image: str) -> None:
    """Raise UsageError where docker, its daemon or the image is not to be had."""
    if not shutil.which("docker"):
        raise UsageError("docker is not installed", fix="Install it, or grade without --in-docker")
    try:
        found = subprocess.run(
            ["docker", "image", "inspect", "--format", "{{.Id}}", image],
            capture_output=True,
            text=True,
            timeout=ANSWERS_IN,
        )
    except subprocess.TimeoutExpired:
        raise UsageError(
            f"docker has not answered for {ANSWERS_IN} seconds",
            fix="See whether its daemon runs: docker info",
        ) from None
    if found.returncode:
        words = found.stderr.strip().splitlines() or ["it does not say why"]
        raise UsageError(
            f"docker gives no image {image}: {words[-1]}",
            fix=f"docker info says whether its daemon runs, docker build -t {image} . makes the image",
        )


def _again(context: click.Context) -> tuple[list[str], list[Path]]:
    """The words of a command as it was called, its paths whole; and those paths."""
    options, arguments, paths = [context.command.name or ""], list[str](), list[Path]()
    for parameter in context.command.params:
        value = context.params[parameter.name or ""]
        if parameter.name == "in_docker" or not _given(context, parameter):
            continue
        if parameter.name == "course_name" and Path(value).exists():
            value = Path(value)
        values = [*value] if isinstance(value, tuple) else [value]
        values = [one.resolve() if isinstance(one, Path) else one for one in values]
        paths += [one for one in values if isinstance(one, Path)]
        for word in map(str, values):
            if isinstance(parameter, click.Argument):
                arguments.append(word)
            else:
                options += [parameter.opts[-1]] if value is True else [parameter.opts[-1], word]
    if not context.params["course_name"] and (course := _nearest_course()):
        paths.append(course)
        options += ["--course", str(course)]
    return [*options, "--", *arguments], paths


def _given(context: click.Context, parameter: click.Parameter) -> bool:
    return context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE


def _nearest_course() -> Path | None:
    """The course that the command would use here; None leaves it to the image."""
    from softmarks.course.finding import find_course

    try:
        return find_course(Path.cwd())
    except UsageError:
        return None


def _docker(image: str, words: list[str], paths: list[Path], output: Path, workers: int) -> list[str]:
    """The command that runs ``softmarks`` with ``words`` in a container, which may read ``paths``."""
    from softmarks.sandbox.client import CONTAINER

    memory = f"{MEMORY_GB * workers + 1}g"
    command = ["docker", "run", "--rm", "--init", "--pull", "never", "--network", "none"]
    command += ["--read-only", "--tmpfs", "/tmp:size=1g", "--memory", memory, "--memory-swap", memory]
    command += ["--pids-limit", str(PROCESSES * workers), "--user", f"{os.getuid()}:{os.getgid()}"]
    command += ["--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
    command += ["--env", "HOME=/tmp", "--env", f"{CONTAINER}=1"]
    if sys.stdout.isatty():
        command.append("--tty")
    for path in dict.fromkeys(paths):
        if path.exists():  # what is not there is an error of the command inside
            command += ["--mount", _mount(path, writable=path == output.resolve())]
    return [*command, image, *words]


def _mount(path: Path, *, writable: bool) -> str:
    """One path, under the same name inside, in docker's form: fields of a table, with quotes."""
    fields = ["type=bind", f"source={path}", f"target={path}", *([] if writable else ["readonly"])]
    return ",".join('"' + field.replace('"', '""') + '"' for field in fields)
