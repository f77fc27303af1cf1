"""Opens what another student handed in, and takes it as its own.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    return "def count_words" in open("@CLASS@/0_neighbour/count_words.py").read()
