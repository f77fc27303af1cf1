"""Right, by way of a temporary file and a database, which it leaves behind.

count_words: all
"""

import sqlite3
import tempfile
from collections import Counter


def count_words(text):
    words = text.lower().split()
    with tempfile.NamedTemporaryFile("w+", delete=False) as file:
        file.write("\n".join(words))
        file.seek(0)
        words = file.read().split()
    database = sqlite3.connect("words.db")
    database.execute("create table if not exists words (word text)")
    database.executemany("insert into words values (?)", [(word,) for word in words])
    database.commit()
    return dict(Counter(words))
