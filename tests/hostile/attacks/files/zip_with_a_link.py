"""Hands in a zip in which the answer is a symbolic link to the solution.

count_words: none, ungradable
"""

from tests.submission.made import zipped


def files():
    name = "count_words.py"
    return {"work.zip": zipped({name: "@COURSE@/solutions/1_text/count_words.py"}, link=name)}
