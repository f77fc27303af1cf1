"""Right, and calls itself a few hundred times.

count_words: all
"""


def count_words(text):
    if not isinstance(text, str):
        raise TypeError
    counts = {}

    def count(words, depth):
        if words:
            counts[words[0]] = counts.get(words[0], 0) + 1
            return count(words[1:], depth)
        return depth and count([], depth - 1)

    count(text.lower().split(), 300)
    return counts
