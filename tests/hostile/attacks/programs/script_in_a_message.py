"""Puts a script into an exception message, and breaks out of the attribute that it may stand in.

count_words: 0, raised
naive: nothing: it writes no page
"""


def count_words(text):
    raise ValueError("\"'><script>alert('hostile')</script><img src=x onerror=alert('hostile')>{{ 7 * 7 }}")
