"""Skips the whole module of the test that imports it.

count_words: 0, raised
naive: nothing: no test is left, which pytest does not call a success
elsewhere: a pass
"""

import pytest

pytest.skip("not today", allow_module_level=True)
