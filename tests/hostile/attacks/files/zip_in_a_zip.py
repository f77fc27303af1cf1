"""Right, in a zip in a zip, with what macOS and Jupyter add.

count_words: all
"""

from tests.hostile import RIGHT, WRONG
from tests.submission.made import zipped


def files():
    inner = zipped({"work/count_words.py": RIGHT, "work/.ipynb_checkpoints/count_words-checkpoint.py": WRONG})
    outer = {
        "all/work.zip": inner,
        "__MACOSX/all/._work.zip": b"\0\5\x16\7",
        "all/.DS_Store": b"\0\0\0\1Bud1",
    }
    return {"handed in.zip": zipped(outer)}
