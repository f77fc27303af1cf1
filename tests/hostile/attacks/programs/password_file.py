"""Reads the list of users.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    return "root" in open("/etc/passwd").read()
