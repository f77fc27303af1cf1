"""Sorted first, so that equal words are neighbours."""

from itertools import groupby


def count_words(text):
    words = sorted(text.casefold().split())
    return {word: len(list(group)) for word, group in groupby(words)}
