"""What `nbgrader_config.py` asks for: Softmarks in the place of nbgrader's own execution. Nothing heavy."""

from __future__ import annotations

from typing import Any

OURS = "softmarks.notebook.autograde"
STUBS = "softmarks.course.stub.Stubs"
NBGRADER = "nbgrader.preprocessors"


def configure(config: Any, course: str, *, trust_submissions: bool = False) -> None:
    """Set nbgrader up for a course, given by its folder or its installed name.

    Submissions are graded by a Softmarks worker, each program confined; where that cannot be, nothing is
    graded, unless ``trust_submissions`` says that you trust every author.
    """
    config.GivenOut.course = course
    config.GivenOut.trust_submissions = trust_submissions
    config.Autograde.exporter_class = f"{OURS}.GivenOut"
    config.Autograde.sanitize_preprocessors = []
    config.Autograde.autograde_preprocessors = [
        f"{OURS}.Grade",
        f"{OURS}.SaveMarks",
        f"{NBGRADER}.AssignLatePenalties",
    ]
    config.ExportApp.plugin_class = f"{OURS}.RoundedCsv"
    config.GenerateAssignment.preprocessors = [
        f"{NBGRADER}.IncludeHeaderFooter",
        f"{NBGRADER}.LockCells",
        STUBS,
        f"{NBGRADER}.ClearOutput",
        f"{NBGRADER}.CheckCellMetadata",
        f"{NBGRADER}.ComputeChecksums",
        f"{NBGRADER}.SaveCells",
        f"{NBGRADER}.ClearHiddenTests",
        f"{NBGRADER}.ClearMarkScheme",
        f"{NBGRADER}.ComputeChecksums",
        f"{NBGRADER}.CheckCellMetadata",
    ]
