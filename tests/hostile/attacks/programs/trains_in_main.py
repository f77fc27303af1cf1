"""Right, and would train for an hour if it were the main program.

count_words: all
"""

from collections import Counter


def count_words(text):
    return dict(Counter(text.lower().split()))


if __name__ == "__main__":
    while True:
        count_words("again")
