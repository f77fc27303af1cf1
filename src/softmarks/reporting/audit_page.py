"""What an audit found, as a page that an instructor understands at a glance, and as JSON for a machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from softmarks.course.course import Course
from softmarks.grading.audited import Count, RoomAudit, summed
from softmarks.reporting.html import environment


def audit_page(course: Course, rooms: Sequence[RoomAudit], faults: Sequence[str]) -> str:
    """The page: the sums, a row a room, and for each room which check catches which misconception."""
    sums = {
        name: summed(rooms, name) for name, kind in RoomAudit.model_fields.items() if kind.annotation is Count
    }
    return (
        environment()
        .get_template("audit.html")
        .render(course=course, rooms=rooms, sums=sums, faults=faults, bars=course.audit)
    )


def audit_json(rooms: Sequence[RoomAudit], faults: Sequence[str]) -> str:
    """The numbers of each room."""
    return json.dumps({"exercises": [_numbers(room) for room in rooms], "faults": list(faults)}, indent=2)


def _numbers(room: RoomAudit) -> dict[str, Any]:
    total, caught = room.caught.total, room.caught.good
    pairs = {"caught": room.pairs_caught.good, "sound": room.pairs_sound.good, "exact": room.pairs_exact.good}
    return {
        "exercise": room.exercise,
        "solution_passes": room.solution.good == room.solution.total,
        "stub_points": room.stub_points,
        "misconceptions": {
            "total": total,
            "caught": caught,
            "named": room.named.good,
            "in_band": room.in_band.good,
            "ambiguous": room.ambiguous,
            "nameless": room.nameless,
            "misnamed": room.misnamed,
        },
        "trivial": {"total": room.trivial.total, "under_ceiling": room.trivial.good},
        "pairs": {"total": room.pairs_caught.total, **pairs},
        "alternatives": {"total": room.alternatives.total, "passed": room.alternatives.good},
        "mutants": {
            "total": room.mutants.total,
            "killed": room.mutants.good,
            "survivors": [survivor.model_dump() for survivor in room.survivors],
        },
        "flaky": room.flaky,
        "notes": room.notes,
        "sensitivity": {"smallest_gap": room.gap, "noise": room.noise},
        "checks": [check.model_dump() for check in room.checks],
        "kill_matrix": {mistake.id: mistake.failed for mistake in room.mistakes},
        "kept": {mistake.id: {"band": mistake.keeps, "kept": mistake.kept} for mistake in room.mistakes},
    }
