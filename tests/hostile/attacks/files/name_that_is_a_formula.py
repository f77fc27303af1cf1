"""Right, by a student whose name is a spreadsheet's formula.

count_words: all
student: =HYPERLINK("x"),Smith, Jr
"""

from tests.hostile import RIGHT


def files():
    return {'../=HYPERLINK("x"),Smith, Jr./count_words.py': RIGHT}
