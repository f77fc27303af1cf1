"""A package is imported by one name and installed by another: what it is called, and where it lies."""

from importlib.metadata import version

import pytest

from softmarks.course.finding import GROUP
from softmarks.grading.handout import handout
from softmarks.grading.lock import locked
from softmarks.sandbox import confinement
from softmarks.sandbox.installed import COURSES, distributions_of, installed, version_of
from tests.conftest import TOY


def test_a_package_has_the_name_of_its_distribution():
    """`yaml` is of PyYAML; what is not installed is of none."""
    assert (distributions_of("yaml"), version_of("yaml")) == (["PyYAML"], version("PyYAML"))
    assert (distributions_of("click"), version_of("click")) == (["click"], version("click"))
    assert (distributions_of("no_such_package"), version_of("no_such_package")) == ([], "")


def test_where_it_lies_with_what_it_needs():
    """Its own folders and those of the distributions that its metadata name; nothing else."""
    names = {path.name for path in installed(["jinja2"])}
    assert names >= {"jinja2", "markupsafe"}
    assert not names & {"yaml", "softmarks", "pytest", "__pycache__"}
    assert list(installed(["no_such_package"])) == []


def test_a_course_may_name_such_a_package(toy):
    """A lock knows its version; students are told to install what there is to install."""
    course = toy.model_copy(update={"packages": ("yaml",)})
    versions = {name: one.packages["yaml"] for name, one in locked(course, TOY).assignments.items()}
    assert set(versions.values()) == {version("PyYAML")}
    assert b"pip install PyYAML ./" in handout(course, "py")["README.md"]


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder where distributions are installed, found first."""
    (tmp_path / "site").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "site")
    return tmp_path / "site"


def install(site, name, *files, record="", needs=(), more=""):
    """A made distribution with files, and with more lines of a RECORD; as metadata, what it needs."""
    for file in files:
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).touch()
    facts = site / f"{name.replace('-', '_')}-1.0.dist-info"
    facts.mkdir()
    requires = "".join(f"Requires-Dist: {need}\n" for need in needs)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{requires}")
    (facts / "RECORD").write_text(
        "".join(f"{file},,\n" for file in (*files, f"{facts.name}/METADATA")) + record
    )
    if more:
        (facts / "entry_points.txt").write_text(more)


def lies(site, *packages):
    """Where packages lie, below the folder, without what is their metadata's."""
    found = installed(packages)
    assert all(path.is_relative_to(site) for path in found)
    return {str(path.relative_to(site)) for path in found if path.suffix != ".dist-info"}


def test_odd_lines_of_a_record_open_nothing_else(site):
    """Not the folder itself, nothing outside of it, no link, no list of paths, nothing of ours."""
    record = './,,\n.,,\n../bin/tool,,\n/etc/passwd,,\n"a,b/__init__.py",,\n\nlink/__init__.py,,\n'
    record += "odd.pth,,\n__pycache__/odd.pyc,,\nsoftmarks_secret/a.py,,\n"
    install(site, "odd", "odd/__init__.py", "odd/deep/a.py", "single.py", record=record)
    (site / "a,b").mkdir()
    (site / "a,b" / "__init__.py").touch()
    (site.parent / "outside").mkdir()
    (site.parent / "outside" / "__init__.py").touch()
    (site / "link").symlink_to(site.parent / "outside")
    assert lies(site, "odd") == {"odd", "single.py", "a,b"}


def test_a_folder_that_others_share_is_not_opened(site):
    """Of a namespace, a distribution has its own part alone."""
    files = ("shared/mine/__init__.py", "shared/mine/deep/a.py", "shared/alone.py")
    install(site, "mine", *files, record="shared/,,\nshared/./,,\n")
    install(site, "theirs", "shared/theirs/secret.py")
    assert lies(site, "mine") == {"shared/mine", "shared/alone.py"}


def test_what_a_course_brings_is_never_opened(site):
    """Whatever its package is called, also where a package of the course, or another one, needs it."""
    install(
        site, "graphs-course", "graphs_helpers/__init__.py", "graphs/graders/a.py", "tests/__init__.py",
        more=f"[{COURSES}]\ngraphs = graphs\n",
    )  # fmt: skip
    install(site, "other", "other/__init__.py", "tests/__init__.py", needs=["graphs-course", "third"])
    install(site, "third", "third/__init__.py")
    assert COURSES == GROUP
    assert lies(site, "graphs_helpers") == set()
    assert lies(site, "other") == {"other", "third"}


def test_what_an_extra_brings_is_there(site):
    """Of what is needed with an extra; without it, it is not needed."""
    install(site, "base", "base/__init__.py", needs=["fast; extra == 'speed'", "old; python_version < '3'"])
    install(site, "fast", "fast/__init__.py")
    install(site, "old", "old/__init__.py")
    install(site, "user", "user/__init__.py", needs=["base[speed]"])
    assert lies(site, "base") == {"base"}
    assert lies(site, "user") == {"user", "base", "fast"}


def test_no_folder_of_packages_is_ever_readable(site, monkeypatch):
    """Wherever a list of libraries comes from."""
    install(site, "mine", "mine/__init__.py")
    monkeypatch.setattr(confinement, "site_folders", lambda: {site})
    given = [site.parent, site, site / ".", site / "mine", site / "nothing"]
    readable = confinement.readable_paths(given)
    assert [path for path in readable if path.is_relative_to(site.parent)] == [site / "mine"]
    assert not [path for path in readable if site.is_relative_to(path)]
