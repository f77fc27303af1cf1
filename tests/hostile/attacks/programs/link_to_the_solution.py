"""Makes a hard and a symbolic link to the solution, and reads through them.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    for make in (os.link, os.symlink):
        try:
            make("@COURSE@/solutions/1_text/count_words.py", "link.py")
            return open("link.py").read() != ""
        except OSError:
            continue
    return False
