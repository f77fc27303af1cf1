"""Hands in one line: it imports the answer from the solutions.

count_words: 0, raised
naive: nothing: there are no solutions beside it
"""

from solutions.count_words import count_words
