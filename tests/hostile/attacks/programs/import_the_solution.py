"""Puts the course on sys.path and imports the solution.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import importlib.util


def attempt():
    spec = importlib.util.spec_from_file_location("answer", "@COURSE@/solutions/1_text/count_words.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.count_words("a b a") == {"a": 2, "b": 1}
