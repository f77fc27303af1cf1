"""Raises SystemExit with status 0 when it is imported, before it has defined anything.

count_words: 0, raised
naive: nothing: pytest catches it
elsewhere: a pass
"""

raise SystemExit(0)
