"""Takes the course into a distribution from where it lies in the repository; a source archive has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = {
    "course.yml": "course.yml",
    "LICENSE-COURSE.md": "LICENSE.md",
    "exercises": "exercises",
    "solutions": "solutions",
    "graders": "graders",
}


class CourseHook(BuildHookInterface):
    """Adds the folders of the course to the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (hatchling's own names)
        """Called by hatchling before it collects files."""
        package, repository = Path(self.root, "softmarks_attention"), Path(self.root).parents[1]
        if not (package / "course.yml").is_file():
            build_data["force_include"] |= {
                str(repository / here): f"softmarks_attention/{there}" for here, there in PARTS.items()
            }
