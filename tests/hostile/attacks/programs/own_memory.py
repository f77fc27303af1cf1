"""Opens its own memory and the map of it.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    return open("/proc/self/maps").read() != ""
