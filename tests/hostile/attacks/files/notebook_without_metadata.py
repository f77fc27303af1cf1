"""Right, as a notebook without metadata, kernel, ids and outputs, with a byte order mark.

count_words: all
"""

import json

from tests.hostile import RIGHT


def files():
    cells = [{"cell_type": "code", "source": RIGHT.decode()}]
    return {"count_words.ipynb": b"\xef\xbb\xbf" + json.dumps({"cells": cells}).encode()}
