"""How people get count_words wrong."""

from softmarks.course.rooms import Misconception, Trivial

MISCONCEPTIONS = [
    Misconception(
        "case-matters",
        (("text.lower().split()", "text.split()"),),
        says="Words in upper and lower case are counted apart.",
        hint="nudge",
        keeps=(0.3, 0.5),
    ),
    Misconception(
        "single-blanks",
        ((".lower().split()", '.lower().split(" ")'),),
        says="The text is split at every single blank, so empty words are counted, and tabs are not seen.",
        hint="formula",
        keeps=(0.6, 0.75),
    ),
    Misconception(
        "seen-not-counted",
        (("counts.get(word, 0) + 1", "1"),),
        says="Each word counts once, however often it occurs.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "anything-goes",
        (
            (
                '    if not isinstance(text, str):\n        raise TypeError("the text must be a string")\n',
                "    text = str(text)\n",
            ),
        ),
        says="What is no text is turned into one instead of being refused.",
        hint="nudge",
        keeps=(0.75, 0.9),
    ),
]

TRIVIAL = [
    Trivial("nothing", replaces=("count_words", "def count_words(text):\n    return None")),
    Trivial("empty", replaces=("count_words", "def count_words(text):\n    return {}")),
    Trivial("input", replaces=("count_words", "def count_words(text):\n    return text")),
]
