"""Writes outside its folder.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    with open("@OUTSIDE@/written", "w") as file:
        return file.write("was here") > 0
