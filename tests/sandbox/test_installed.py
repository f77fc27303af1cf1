"""A package is imported by one name and installed by another: what it is called, and where it lies."""

from importlib.metadata import version

from softmarks.grading.handout import handout
from softmarks.grading.lock import locked
from softmarks.sandbox.installed import distributions_of, installed, version_of
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
