"""The colours of numbers: viridis in five stops, from dark blue to yellow."""

from __future__ import annotations

RAMP = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))


def colours(share: float) -> tuple[str, str]:
    """The colour of what is written, ``black`` or ``white``, and of what is behind it, ``rgb(R,G,B)``."""
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    stop = min(int(place), len(RAMP) - 2)
    part = place - stop
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(RAMP[stop], RAMP[stop + 1], strict=True))
    ink = "black" if red * 0.299 + green * 0.587 + blue * 0.114 > 110 else "white"
    return ink, f"rgb({red},{green},{blue})"
