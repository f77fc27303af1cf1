"""Right, as a notebook for a kernel that is not there.

count_words: all
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook


def files():
    kernel = {"kernelspec": {"name": "my-conda-env", "display_name": "mine", "language": "python"}}
    return {"count_words.ipynb": notebook(code(RIGHT.decode()), metadata=kernel)}
