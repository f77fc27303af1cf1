"""Opens the solution and runs it as its own.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    source = open("@COURSE@/solutions/1_text/count_words.py").read()
    return "counts[word]" in source
