"""Puts what it is given into the place where a syntax error shows a line.

count_words: 0, raised
naive: the secret
"""


def count_words(text):
    raise SyntaxError("look here", (str(text), 1, 1, str(text)))
