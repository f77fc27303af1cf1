"""Right, as a notebook with magics, shell commands, widgets, a plot and a display.

count_words: all
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook


def files():
    cells = [
        code("%matplotlib inline\n!pip install torch\n!touch @OUTSIDE@/shell\nx = 1"),
        code("%%bash\ntouch @OUTSIDE@/bash"),
        code("import matplotlib.pyplot as plt\nplt.plot([1, 2])"),
        code("import ipywidgets\nipywidgets.IntSlider()"),
        code(RIGHT.decode()),
        code("display(count_words('a'))\nget_ipython().system('touch @OUTSIDE@/ipython')"),
        code("%timeit count_words('a')\ncount_words?"),
    ]
    return {"count_words.ipynb": notebook(*cells)}
