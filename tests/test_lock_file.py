"""`requirements.lock`: what a grader installs, in the versions that are tested, each by its digest."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = {canonicalize_name(name): pin for name, pin in re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE)}


def test_every_file_has_a_digest():
    """Each distribution has one or more, and no line says where to fetch it."""
    entries = re.split(r"\n(?=[\w.-]+==)", re.sub(r"(?m)^#.*\n", "", LOCK).strip())
    assert len(entries) == len(PINS) > 100
    for entry in entries:
        assert re.fullmatch(r"[\w.-]+==[\w.+]+( \\\n    --hash=sha256:[0-9a-f]{64})+", entry.strip()), entry
    assert "://" not in LOCK


def test_the_versions_are_those_that_were_tested():
    """As in constraints.txt; a build's name after the plus is not compared."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    tested = dict(line.split("==") for line in lines if "==" in line)
    tested = {canonicalize_name(name): pin for name, pin in tested.items()}
    for name, pin in PINS.items():
        if name != "setuptools":  # what comes with Python's own installer is not ours to test
            assert tested[name] == pin.partition("+")[0], name


def test_all_that_the_project_asks_for_is_in_it():
    """The engine, what instructors and clusters need, and the course's packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["instructor"], *extras["dask"], "torch", "numpy"]
    for line in wanted:
        requirement = Requirement(line)
        assert requirement.specifier.contains(PINS[canonicalize_name(requirement.name)]), line
