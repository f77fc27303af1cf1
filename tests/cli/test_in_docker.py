"""softmarks grade --in-docker: what container it asks for, that the same comes out, what is said without."""

import csv
import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from softmarks.cli import in_docker
from softmarks.errors import UsageError
from tests.conftest import ROOT, TOY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other people's work is graded on Linux")

SOFTMARKS = Path(sys.executable).with_name("softmarks")

# Answers as docker does. RECORD writes down how it was called, RUN does what a container would do.
RECORD = """\
import json, os, sys
if sys.argv[1] == "run":
    json.dump(sys.argv[1:], open(os.environ["RECORDED"], "w"))
"""
RUN = """\
import os, sys
words = sys.argv[1:]
if words[0] == "run":
    for word, value in zip(words, words[1:]):
        if word == "--env":
            name, _, text = value.partition("=")
            os.environ[name] = text
    os.chdir("/")
    inner = words[words.index("an-image") + 1:]
    os.execv(os.environ["SOFTMARKS"], [os.environ["SOFTMARKS"], *inner])
"""
NO_DAEMON = """\
import sys
sys.exit("Cannot connect to the Docker daemon. Is the docker daemon running?")
"""


@pytest.fixture
def docker(tmp_path, monkeypatch):
    """Puts a program in the place of docker; what the command line is told."""

    def put(program):
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "docker").write_text(f"#!{sys.executable}\n{program}")
        (folder / "docker").chmod(0o755)
        monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
        monkeypatch.setenv("RECORDED", str(tmp_path / "recorded.json"))
        monkeypatch.setenv("SOFTMARKS", str(SOFTMARKS))

    return put


@pytest.fixture
def handed_in(tmp_path):
    """One student's right answer, in a folder whose name is a difficult one."""
    folder = tmp_path / 'a "class", 1'
    (folder / "ada").mkdir(parents=True)
    answer = next((TOY / "graders" / "1_text" / "caesar" / "alternatives").glob("*.py"))
    shutil.copy(answer, folder / "ada" / "caesar.py")
    return folder


def grade(folder, *words):
    command = [SOFTMARKS, "grade", folder.name, "-o", "results", "--course", TOY, "--in-docker", "an-image"]
    return subprocess.run([*command, *words], cwd=folder.parent, capture_output=True, text=True)


def test_the_container_has_nothing_but_its_work(docker, handed_in, tmp_path):
    """No network, no rights, an end of memory and processes; work can be read, results can be written."""
    docker(RECORD)
    done = grade(handed_in, "--only", "caesar", "--workers", "3", "--pseudonyms")
    assert done.returncode == 0, done.stderr
    words = json.loads((tmp_path / "recorded.json").read_text())
    asked, inner = words[: words.index("an-image")], words[words.index("an-image") + 1 :]
    assert inner == [
        *("grade", "--output", str(tmp_path / "results"), "--only", "caesar", "--pseudonyms"),
        *("--workers", "3", "--course", str(TOY), "--", str(handed_in)),
    ]  # fmt: skip
    pairs = [" ".join(pair) for pair in pairwise(asked)]
    for option in (
        "--network none",
        "--cap-drop ALL",
        "--security-opt no-new-privileges",
        "--pull never",
        "--memory 7g",
        "--memory-swap 7g",
        "--pids-limit 768",
        f"--user {os.getuid()}:{os.getgid()}",
        "--env SOFTMARKS_CONTAINER=1",
    ):
        assert option in pairs
    assert {"--read-only", "--rm"} <= set(asked)
    mounts = [after for word, after in pairwise(asked) if word == "--mount"]
    found = {}
    for fields in csv.reader(mounts):
        facts = dict(field.split("=") for field in fields if "=" in field)
        assert facts["source"] == facts["target"]
        found[facts["source"]] = "readonly" in fields
    assert found == {str(handed_in): True, str(TOY): True, str(tmp_path / "results"): False}


def test_the_nearest_course_goes_along(docker, handed_in, tmp_path):
    """Without --course it is the one that would be used here, also where it is not installed in the image."""
    docker(RECORD)
    command = [SOFTMARKS, "grade", handed_in, "-o", tmp_path / "results", "--in-docker", "an-image"]
    done = subprocess.run(command, cwd=TOY / "graders", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    words = json.loads((tmp_path / "recorded.json").read_text())
    assert words[words.index("--course") + 1] == str(TOY)
    assert any(f"source={TOY}" in word and "readonly" in word for word in words)


def test_the_same_comes_out(docker, handed_in, tmp_path):
    """What runs inside grades as outside; the report names the container, and the wall that holds in it."""
    docker(RUN)
    done = grade(handed_in, "--only", "caesar", "--workers", "1")
    assert done.returncode == 0, done.stderr
    verdict = json.loads((tmp_path / "results" / "verdicts" / "ada.json").read_text())
    (exercise,) = verdict["exercises"]
    assert exercise["points"] == exercise["max_points"]
    assert exercise["confined"]
    assert exercise["confinement"].startswith("container, ")
    assert exercise["confinement"].endswith("seccomp")


def test_a_fault_inside_is_one_outside(docker, handed_in):
    """The exit status and the words are those of the command inside."""
    docker(RUN)
    done = grade(handed_in, "--only", "no_such_exercise")
    assert done.returncode == 2
    assert "no_such_exercise" in done.stderr


@pytest.mark.parametrize(
    ("program", "words"), [(None, "docker is not installed"), (NO_DAEMON, "Is the docker daemon running")]
)
def test_without_docker_nothing_is_graded(docker, handed_in, monkeypatch, program, words):
    """It is said what is missing, and what to do."""
    if program:
        docker(program)
    else:
        monkeypatch.setenv("PATH", "/nowhere")
    done = grade(handed_in)
    assert done.returncode == 2
    assert words in done.stderr
    assert not (handed_in.parent / "results").exists()


def test_a_docker_that_does_not_answer_is_not_waited_for(docker, monkeypatch):
    """A daemon that hangs is told as such."""
    docker("import time; time.sleep(9)")
    monkeypatch.setattr(in_docker, "ANSWERS_IN", 0.1)
    with pytest.raises(UsageError, match="has not answered"):
        in_docker._look_for("an-image")


def test_a_cluster_is_out_of_reach(docker, handed_in):
    """--dask needs a network."""
    docker(RECORD)
    done = grade(handed_in, "--dask", "tcp://127.0.0.1:8786")
    assert done.returncode == 2
    assert "--dask" in done.stderr


@pytest.mark.long
def test_a_real_container_grades(handed_in, tmp_path):
    """The image can be made from the repository, and grades behind the wall."""
    if not shutil.which("docker") or subprocess.run(["docker", "info"], capture_output=True).returncode:
        pytest.skip("needs a docker daemon")
    subprocess.run(["docker", "build", "--tag", "softmarks-test", ROOT], check=True)
    command = [SOFTMARKS, "grade", handed_in, "-o", tmp_path / "results", "--only", "caesar"]
    subprocess.run([*command, "--course", TOY, "--in-docker", "softmarks-test"], check=True)
    verdict = json.loads((tmp_path / "results" / "verdicts" / "ada.json").read_text())
    (exercise,) = verdict["exercises"]
    assert exercise["points"] == exercise["max_points"]
    assert exercise["confinement"].startswith("container, Landlock ABI ")
