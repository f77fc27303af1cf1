"""Writes a grade sheet of its own.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    with open("@RESULTS@/grades_of_mine.csv", "w") as file:
        return file.write("student,total\n") > 0
