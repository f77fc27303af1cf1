"""Lists the folders in which suites lie.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    return os.listdir("@COURSE@/graders/1_text/count_words") != []
