"""Starts another program, by each way that there is.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os
import subprocess
import sys


def attempt():
    if os.system("true") == 0:
        return True
    return subprocess.run([sys.executable, "-c", ""]).returncode == 0
