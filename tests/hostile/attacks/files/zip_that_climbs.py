"""Hands in a zip whose files are called ../../something and /etc/something.

count_words: all
"""

from tests.hostile import RIGHT
from tests.submission.made import zipped


def files():
    evil = (
        "../../outside/climbed.py",
        "../../../results/grades.csv",
        "/tmp/hostile-absolute.py",
        "..\\..\\up.py",
    )
    return {"work.zip": zipped({**dict.fromkeys(evil, b"x = 1\n"), "count_words.py": RIGHT})}
