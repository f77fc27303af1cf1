"""Puts control sequences, a new window title and half a line of markup where an instructor reads.

count_words: 0, raised
naive: nothing: pytest shows them
"""


def count_words(text):
    raise ValueError("\x1b[2J\x1b]0;graded\x07\x1b[1A\x1b[2K\x9b31m[bold]5.00 of 5.00[/bold]\r\u202e\u2066passed")
