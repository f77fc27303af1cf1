"""Right, in a file whose name is as long as a name may be.

count_words: all
"""

from tests.hostile import RIGHT


def files():
    return {f"{'x' * 200} count_words {'y' * 30}.py": RIGHT}
