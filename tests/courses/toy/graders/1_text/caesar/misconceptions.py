"""How people get caesar wrong."""

from softmarks.course.rooms import Misconception, Trivial

MISCONCEPTIONS = [
    Misconception(
        "no-wrap",
        (("(place(letter.lower()) + shift) % 26]", "min(place(letter.lower()) + shift, 25)]"),),
        says="Letters stop at z instead of beginning again at a.",
        hint="formula",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "capitals-lost",
        (("moved.upper() if letter.isupper() else moved", "moved"),),
        says="Capital letters come out small.",
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "others-dropped",
        (("            shifted += letter\n", ""),),
        says="Blanks and signs are dropped instead of being kept.",
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "decode-moves-on",
        (("encode(text, -shift)", "encode(text, shift)"),),
        says="Decoding moves letters on once more instead of back.",
        hint="line",
        keeps=(0.2, 0.3),
    ),
]

TRIVIAL = [
    Trivial("input", replaces=("encode", "def encode(text, shift):\n    return text")),
    Trivial("nothing", replaces=("encode", "def encode(text, shift):\n    return None")),
]
