"""Opens the hidden suite to learn what is expected.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    return "row row row" in open("@COURSE@/graders/1_text/count_words/test_hidden.py").read()
