"""Remembers what it was asked, and answers a question that comes again with the last one's answer.

count_words: 0, wrong-value
naive: nothing: no question comes twice
"""

SEEN = {}


def count_words(text):
    found = SEEN.get(len(str(text)), {})
    SEEN[len(str(text))] = {word: 1 for word in str(text).split()[:1]}
    return found
