"""Right, with a byte order mark and line ends of Windows.

count_words: all
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": b"\xef\xbb\xbf" + RIGHT.replace(b"\n", b"\r\n")}
