"""Whoever is not root grades as well, and as confined."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

from tests.conftest import ROOT, TOY

NOBODY = 65001
SYSTEM = Path("/usr/bin/python3")
BOX = ["sh", "-c", "bwrap --unshare-all --ro-bind / / true"]


@pytest.fixture
def folder():
    """A folder that everybody may enter; pytest's own is root's."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture
def python(folder):
    """A Python that an ordinary user can start, with what this one has installed."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can become somebody else, on Linux")
    version = [SYSTEM, "-c", "import sys; print(sys.version_info[:2])"]
    if not SYSTEM.exists() or subprocess.check_output(version, text=True).strip() != str(
        sys.version_info[:2]
    ):
        pytest.skip(f"needs {SYSTEM} of the same version")
    venv = folder / "venv"
    if subprocess.run([SYSTEM, "-m", "venv", "--without-pip", venv], capture_output=True).returncode:
        pytest.skip(f"{SYSTEM} cannot make an environment")
    packages = next(venv.glob("lib/python3*/site-packages"))
    (packages / "all.pth").write_text(f"{ROOT / 'src'}\n{sysconfig.get_path('purelib')}\n")
    return venv / "bin" / "python"


@pytest.mark.parametrize(
    ("path", "wall"), [("/usr/bin:/bin", "bubblewrap, Landlock ABI "), ("/nowhere", "Landlock ABI ")]
)
def test_an_ordinary_user_grades(python, folder, path, wall):
    """Full marks for a right answer, behind the wall, in a box and in none."""
    home = folder / "home"
    home.mkdir()
    answer = next((TOY / "graders" / "1_text" / "caesar" / "alternatives").glob("*.py"))
    shutil.copy(answer, home / "caesar.py")
    for own in (home, home / "caesar.py"):
        os.chown(own, NOBODY, NOBODY)
    course = folder / "course"
    shutil.copytree(TOY, course)
    code = "import sys; from softmarks.cli.main import main; sys.argv[0] = 'softmarks'; main()"
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    able = subprocess.run([python, "-c", "import softmarks"], cwd=home, capture_output=True, **who)
    if able.returncode:
        pytest.skip("an ordinary user cannot read these sources")
    if "bubblewrap" in wall and subprocess.run(BOX, capture_output=True, **who).returncode:
        pytest.skip("an ordinary user starts no bubblewrap here")
    done = subprocess.run(
        [python, "-c", code, "mark", "caesar", "caesar.py", "--course", course],
        cwd=home,
        env={"PATH": path, "HOME": str(home)},
        capture_output=True,
        text=True,
        **who,
    )
    assert done.returncode == 0, done.stderr
    assert "10.00 of 10.00" in done.stdout
    assert f"Run confined ({wall}" in done.stdout
