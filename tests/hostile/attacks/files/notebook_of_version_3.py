"""Right, as a notebook of format 3.

count_words: all
"""

import json

from tests.hostile import RIGHT


def files():
    cell = {
        "cell_type": "code",
        "input": RIGHT.decode(),
        "language": "python",
        "outputs": [],
        "collapsed": False,
    }
    whole = {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {"name": ""},
        "worksheets": [{"cells": [cell], "metadata": {}}],
    }
    return {"count_words.ipynb": json.dumps(whole).encode()}
