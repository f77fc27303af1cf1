"""Right, by a student whose name clears a terminal and names a device of Windows.

count_words: all
student: CON�[2J
"""

from tests.hostile import RIGHT


def files():
    return {"../CON\x1b[2J/count_words.py": RIGHT}
