"""Right, by a student whose name is a script.

count_words: all
student: <script>alert('hostile')<
"""

from tests.hostile import RIGHT


def files():
    return {"../<script>alert('hostile')</count_words.py": RIGHT}
