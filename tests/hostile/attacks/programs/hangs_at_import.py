"""Never ends while it is imported.

count_words: 0, timed-out
naive: not tried: it has no end
"""

while True:
    try:
        while True:
            pass
    except Exception:
        pass
