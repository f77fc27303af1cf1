"""Right, under a name as Canvas mangles it, at the top of the class.

count_words: all
student: doejane
"""

from tests.hostile import RIGHT


def files():
    return {"../doejane_12345_678901_count_words-2 (1).py": RIGHT}
