"""Raises while it is imported, before anything is defined.

count_words: 0, raised
naive: nothing: nothing can be imported
"""

1 / 0
