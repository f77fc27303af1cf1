"""Is right only where assertions are compiled away.

count_words: 0, wrong-value, attempt
naive: nothing: it keeps them
"""


def attempt():
    return not __debug__
