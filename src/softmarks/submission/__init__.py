"""From the bytes that a student handed in to plain source text, one program an exercise. Nothing is run."""


class Unreadable(Exception):
    """Something that a student handed in cannot be read. The text is the reason, in words for the student."""
