"""Every worked number that a student reads is computed here a second time, from its inputs alone.

`NUMBERS` is a table: an exercise, a quote from one of its texts, and an expression for the numbers in
the quote, written out without the course's own code. Both are compared in order, to the digits that
are printed. In a quote with «marks» only the marked numbers are compared; the others are inputs.

Small models that were trained for the texts are not trained again: what they did stands here as an input.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import pytest
import torch

from softmarks.course.course import load_course
from softmarks.course.rooms import Room, room
from softmarks.course.sheets import read_sheet
from tests.conftest import ROOT

COURSE = load_course(ROOT)
ROOMS = {exercise.name: room(COURSE, ROOT, exercise.name) for exercise in COURSE.exercises}


# Numbers in texts

NUMERAL = re.compile(
    r"""
    (?<![\w.])(?:(?<![)}\]])-)?                             # a minus is a sign where nothing stands before it
    (?:
        (?P<bare>10)\^\{(?P<power>-?\d+)\}                  # 10^{-9}
      | (?P<over>\d+/\d+)                                   # 1/256
      | (?P<digits>(?:\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d+)(?:\.\d+)?)   # 12,528 and 2{,}360 and 0.2689
        (?:\s\\cdot\s10\^\{(?P<times>-?\d+)\}|e(?P<e>-?\d+))?              # 6 \cdot 10^{-9} and 1e-7
    )
    """,
    re.VERBOSE,
)


def plain(text: str) -> str:
    """A text without the comment signs at the start of its lines, and with single spaces."""
    return " ".join(re.sub(r"^# ?", "", text, flags=re.M).split())


def value_and_step(numeral: re.Match[str]) -> tuple[Fraction, Fraction]:
    """What a printed number says, and the size of its last digit (0: it is exact)."""
    sign = -1 if numeral[0].startswith("-") else 1
    if numeral["bare"]:
        return sign * Fraction(10) ** int(numeral["power"]), Fraction(0)
    if numeral["over"]:
        return sign * Fraction(numeral["over"]), Fraction(0)
    digits = Decimal(re.sub(r"[{},]", "", numeral["digits"]))
    step = Fraction(10) ** (int(numeral["times"] or numeral["e"] or 0) + digits.as_tuple().exponent)
    return sign * int(digits.scaleb(-digits.as_tuple().exponent)) * step, step


def agree(printed: tuple[Fraction, Fraction], computed: float) -> bool:
    """The computed number, rounded to the digits that are printed, is the printed one."""
    value, step = printed
    return abs(computed - value) <= float(step) / 2 + 1e-12 * abs(computed)


def all_of(computed: object) -> list[float]:
    """The numbers in tensors and tuples, in their order."""
    if isinstance(computed, torch.Tensor):
        return computed.double().flatten().tolist()
    if isinstance(computed, list | tuple):
        return [number for part in computed for number in all_of(part)]
    return [float(computed)]


@dataclass(frozen=True)
class Number:
    """The numbers in a quote, and how they come about."""

    exercise: str
    quote: str
    compute: Callable[[], object]

    @property
    def text(self) -> str:
        """The quote as it stands in the text."""
        return re.sub("[«»]", "", self.quote)

    @property
    def numerals(self) -> list[re.Match[str]]:
        """The numbers that are compared, found in `text`."""
        places = [mark.start() - 2 * n for n, mark in enumerate(re.finditer("«", self.quote))]
        return [found for found in NUMERAL.finditer(self.text) if not places or found.start() in places]

    def __str__(self) -> str:
        return f"{self.exercise}: {' '.join(found[0] for found in self.numerals)}"


# The book's six tokens, and the weights that it draws


def table(rows: object) -> torch.Tensor:
    """A tensor in double precision."""
    return torch.tensor(rows, dtype=torch.float64)


def softmax(scores: object, dim: int = -1) -> torch.Tensor:
    """The softmax, written out."""
    scores = scores if isinstance(scores, torch.Tensor) else table(scores)
    powers = (scores - scores.max()).exp()
    return powers / powers.sum(dim, keepdim=True)


TOKENS = table(
    [
        [0.43, 0.15, 0.89],  # Your
        [0.55, 0.87, 0.66],  # journey
        [0.57, 0.85, 0.64],  # starts
        [0.22, 0.58, 0.33],  # with
        [0.77, 0.25, 0.10],  # one
        [0.05, 0.80, 0.55],  # step
    ]
)
YOUR, JOURNEY, WITH, STEP = 0, 1, 3, 5
SCORES = TOKENS @ TOKENS.T

# Seed 123, torch.rand(3, 2), the first and the second
W_QUERY = table([[0.296111941, 0.516562283], [0.251670718, 0.68855679], [0.0739724636, 0.866521955]])
W_KEY = table([[0.136579871, 0.102479041], [0.184056461, 0.726446748], [0.315253913, 0.687106669]])
JOURNEY_SCORES = TOKENS[JOURNEY] @ W_QUERY @ (TOKENS @ W_KEY).T

# Seed 789, nn.Linear(3, 2), the first and the second
A_QUERY = table([[0.316059083, 0.456808567, 0.51183486], [-0.1682854, -0.337877035, -0.0917738676]])
A_KEY = table([[0.405805826, -0.470420539, 0.236805201], [0.213360742, -0.260050654, -0.510542989]])
SEED_789_WEIGHTS = softmax(TOKENS @ A_QUERY.T @ (TOKENS @ A_KEY.T).T / math.sqrt(2))

# Seed 123, the rows of all nn.Linear(3, …) in the order in which they are made
SEED_123_ROWS = table(
    [
        [-0.235429645, 0.0191244762, -0.286745936],
        [0.217726618, -0.49193421, 0.423223078],
        [-0.419641405, -0.459017664, -0.364820182],
        [0.261478186, -0.213326395, 0.216052175],
        [-0.490014136, -0.350292057, -0.211989194],
        [-0.11346072, -0.440439373, 0.378043622],
        [-0.13615717, 0.185322329, 0.408269495],
        [0.107563816, 0.157876849, 0.557292342],
        [-0.260390401, 0.182876408, -0.256872445],
        [0.41260317, 0.461104512, -0.532300949],
        [0.492852628, 0.275693059, 0.251590222],
        [0.237680584, 0.479950726, -0.0762330666],
    ]
)

# Seed 123, what nn.Dropout(0.5) makes of 6 by 6 ones, as the book prints it
DROPPED = table(
    [
        [2, 2, 0, 2, 2, 0],
        [0, 0, 0, 2, 0, 2],
        [2, 2, 2, 2, 0, 2],
        [0, 2, 2, 0, 0, 2],
        [0, 2, 0, 2, 0, 2],
        [0, 2, 2, 2, 2, 0],
    ]
)

# The lecture's example: the scores of three tokens, with d_k = 3
LECTURE_SCORES = table([[2.1, 1.4, 0.8], [0.9, 3.2, 1.1], [1.3, 1.7, 2.9]])


# Percent right beyond the 32 positions of the training, by the length of the text; three models of each kind
TRAINED = {
    "none, at 32": (99.8, 99.6, 99.8),
    "sinusoidal, at 48": (12.5, 16.7, 17.9),
    "sinusoidal, at 256": (7.8, 8.0, 8.8),
    "rotary, at 64": (97.8, 100.0, 100.0),
    "rotary, at 128": (79.1, 91.3, 93.2),
    "rotary, at 256": (39.1, 43.4, 47.1),
    "alibi, at 256": (100.0, 100.0, 99.9),
}


# What is computed more than once


def two_heads(size: int, over: int = -1) -> torch.Tensor:
    """The contexts of the six tokens from two causal heads, side by side; seed 123 made their weights."""
    future = torch.ones(6, 6, dtype=torch.bool).triu(diagonal=1)
    contexts = []
    for head in SEED_123_ROWS[: 6 * size].reshape(2, 3, size, 3):
        queries, keys, values = (TOKENS @ part.T for part in head)
        scores = (queries @ keys.T / math.sqrt(size)).masked_fill(future, -math.inf)
        contexts.append(softmax(scores, dim=over) @ values)
    return torch.cat(contexts, dim=1)


def jacobian(scores: list[float]) -> torch.Tensor:
    """The derivative of each weight (row) by each score (column)."""
    return torch.autograd.functional.jacobian(lambda given: given.softmax(-1), table(scores))


def matrices_and_pairs(tokens: int, width: int = 512) -> tuple[float, float]:
    """Millions of operations of an attention layer: with its matrices, and for pairs of tokens."""
    return 8 * tokens * width**2 / 1e6, 4 * tokens**2 * width / 1e6


def linear(inputs: int, outputs: int, bias: bool = True) -> int:
    """The parameters of an nn.Linear."""
    return inputs * outputs + outputs * bias


def attention(d_in: int, d_out: int, bias: bool = False) -> int:
    """The parameters of multi-head attention: three projections, and that of the output."""
    return 3 * linear(d_in, d_out, bias) + linear(d_out, d_out)


WORDS = 50_257  # in GPT-2's vocabulary


def gpt2() -> int:
    """The parameters of the smallest GPT-2, with one table of words for input and output."""
    norm, feed_forward = 2 * 768, linear(768, 3072) + linear(3072, 768)
    block = attention(768, 768, bias=True) + feed_forward + 2 * norm
    return (WORDS + 1024) * 768 + 12 * block + norm


def pair(angle: float) -> tuple[float, float]:
    """The sine and the cosine of an angle."""
    return math.sin(angle), math.cos(angle)


def wavelength(two_i: int, width: int) -> float:
    """How many tokens one turn of a pair takes."""
    return 2 * math.pi * 10_000 ** (two_i / width)


def sines(dtype: torch.dtype) -> torch.Tensor:
    """The sines of 5,000 positions and 256 pairs, worked out in this precision."""
    frequency = 10_000.0 ** (-torch.arange(0, 512, 2, dtype=dtype) / 512)
    return (torch.arange(5_000, dtype=dtype)[:, None] * frequency).sin()


def span(kind: str) -> tuple[float, float]:
    """The worst and the best of the trained models of a kind."""
    return min(TRAINED[kind]), max(TRAINED[kind])


def first(holds: Callable[[int], bool]) -> int:
    """The smallest number for which it holds."""
    return next(number for number in range(1_000_000) if holds(number))


def reordered(x: list[float], order: list[int]) -> list[float]:
    """Entry i is entry order[i] of x."""
    return [x[place] for place in order]


def sums_so_far(x: list[float]) -> list[float]:
    """What the statement's causal f makes of x."""
    return [sum(x[: place + 1]) for place in range(len(x))]


def shift(offset: int, angle: float = 1.0) -> torch.Tensor:
    """The matrix that moves one pair on, from the addition theorems."""
    sine, cosine = pair(offset * angle)
    return table([[cosine, sine], [-sine, cosine]])


ASSIGNMENT_1 = [
    Number("rnn_bottleneck", "there are «99» steps", lambda: 100 - 1),
    Number("rnn_bottleneck", "$0.9^{99} = «0.00003»$ is left", lambda: 0.9**99),
    Number("rnn_bottleneck", "it grows to $1.1^{99} = «12528»$", lambda: 1.1**99),
    Number("rnn_bottleneck", "the states of word 1 and word 100 lie «99» steps", lambda: 100 - 1),
    Number("rnn_bottleneck", "100,000 tokens make $«10^{10}»$ of them", lambda: 100_000**2),
    Number("questions_1", "a: «0.0005», then «2,000»", lambda: (0.5**11, round(2**11, -3))),
    Number("questions_1", "b: «0.001», then «0.001»", lambda: (0.5**10, 0.5**10)),
    Number("questions_1", "c: «0.001», then «1,000»", lambda: (0.5**10, round(2**10, -3))),
    Number("questions_1", "d: «5», then «20»", lambda: (10 * 0.5, 10 * 2)),
    Number(
        "questions_1",
        "there are «10» recurrent steps, and each multiplies by $w$: $0.5^{10}$ is «0.00098», "
        "and $2^{10}$ is «1,024»",
        lambda: (11 - 1, 0.5**10, 2**10),
    ),
    Number(
        "questions_1",
        "e: By a factor of «2.4».",
        lambda: sum(matrices_and_pairs(512)) / sum(matrices_and_pairs(256)),
    ),
    Number(
        "questions_1",
        "537 + 134 million operations become 1,074 + 537 million",
        lambda: (matrices_and_pairs(256), matrices_and_pairs(512)),
    ),
    Number("questions_1", "They are equal at $T = 2d = «1024»$", lambda: 8 / 4 * 512),
    Number(
        "questions_1",
        "it is «134» million operations out of «671»",
        lambda: (matrices_and_pairs(256)[1], sum(matrices_and_pairs(256))),
    ),
]

ASSIGNMENT_2 = [
    Number(
        "context_vector",
        'the score of "Your" is 0.55 · 0.43 + 0.87 · 0.15 + 0.66 · 0.89 = «0.9544», '
        "and its weight is «0.1385»",
        lambda: (0.55 * 0.43 + 0.87 * 0.15 + 0.66 * 0.89, softmax(SCORES[JOURNEY])[YOUR]),
    ),
    Number(
        "context_vector",
        "In float32, $e^{«89»}$ is already infinite",
        lambda: first(lambda n: torch.tensor(float(n)).exp().isinf()),
    ),
    Number(
        "context_vector",
        "1000 and 1000 give «0.5» and «0.5», and -1000 and 0 give «0» and «1»",
        lambda: (softmax([1000, 1000]), softmax([-1000, 0])),
    ),
    Number(
        "context_vector",
        "a score that is «104» below the largest already gets exactly 0",
        lambda: first(lambda n: torch.tensor([0.0, -n]).softmax(-1)[1] == 0),
    ),
    Number(
        "context_vector",
        "The scores 2, -1 and -0.9 would become «20», «-10» and «-9»",
        lambda: [score / (2 - 1 - 0.9) for score in (2, -1, -0.9)],
    ),
    Number(
        "context_vector",
        '"with" scores 0.4937 with itself and 0.8434 with "journey"',
        lambda: (SCORES[WITH, WITH], SCORES[WITH, JOURNEY]),
    ),
    Number(
        "all_context_vectors",
        "Its scores begin 0.9544, 1.4950, its weights 0.1385, 0.2379, "
        "and its context vector is (0.4419, 0.6515, 0.5683)",
        lambda: (
            SCORES[JOURNEY, :2],
            softmax(SCORES[JOURNEY])[:2],
            softmax(SCORES[JOURNEY]) @ TOKENS,
        ),
    ),
    Number("questions_2", "give the weights (0.09, 0.24, 0.67)", lambda: softmax([1, 2, 3])),
    Number(
        "questions_2",
        "c: Added, it stays 0.67. Multiplied, it rises to 0.99995.",
        lambda: (softmax([11, 12, 13])[2], softmax([10, 20, 30])[2]),
    ),
    Number("questions_2", "13 of 36 is «0.36»", lambda: 13 / (11 + 12 + 13)),
    Number(
        "questions_2",
        "The scores of $p$ with $p$, $q$ and $r$ are 5, 4 and 9, those of $q$ are 4, 5 and 6, "
        "those of $r$ are 9, 6 and 17",
        lambda: (three := table([[2, 1], [1, 2], [4, 1]])) @ three.T,
    ),
    Number(
        "questions_2",
        "a cosine of no more than «0.65»",
        lambda: table([1, 2]) @ table([4, 1]) / table([1, 2]).norm() / table([4, 1]).norm(),
    ),
    Number(
        "questions_2",
        "have the length 5, so the scores are 25 and 15 in the first row, 15 and 25 in the second",
        lambda: (table([3, 4]).norm(), (two := table([[3, 4], [5, 0]])) @ two.T),
    ),
    Number(
        "questions_2",
        "The rows of scores are (1, 2) and (2, 4), "
        "and the right rows of weights (0.27, 0.73) and (0.12, 0.88)",
        lambda: ((scores := (two := table([[1, 0], [2, 0]])) @ two.T), softmax(scores)),
    ),
    Number(
        "questions_2",
        "The right rows of weights are (0.5, 0.5) and (0.27, 0.73)",
        lambda: softmax((two := table([[1, 0], [1, 1]])) @ two.T),
    ),
    Number(
        "questions_2",
        "Both are (0.5, 0.5)",
        lambda: table([0.25, 0.25, 0.5]) @ table([[1, 0], [0, 1], [0.5, 0.5]]),
    ),
    Number(
        "questions_2",
        "(0.5, 0.5): what one query took from the third token, the other took from the first two",
        lambda: table([0.4, 0.4, 0.2]) @ table([[1, 0], [0, 1], [0.5, 0.5]]),
    ),
    Number("questions_2", "here 0.05 and 0.77", lambda: (TOKENS[:, 0].min(), TOKENS[:, 0].max())),
    Number("questions_2", 'e: "«2.59»"', lambda: TOKENS[:, 0].sum()),
]

ASSIGNMENT_3 = [
    Number(
        "scaled_dot_product",
        "Divided by $\\sqrt 3 = «1.7321»$ they are «0.5196», «1.8475», «0.6351»; "
        "the softmax gives «0.1696», «0.6400», «0.1904»",
        lambda: (
            math.sqrt(3),
            LECTURE_SCORES[1] / math.sqrt(3),
            softmax(LECTURE_SCORES[1] / math.sqrt(3)),
        ),
    ),
    Number("scaled_dot_product", "they add up to «1.27».)", lambda: 0.21 + 0.80 + 0.26),
    Number(
        "scaled_dot_product",
        "The rows are 0.4674 0.3120 0.2206, then 0.1696 0.6400 0.1904, then 0.2093 0.2636 0.5271.",
        lambda: softmax(LECTURE_SCORES / math.sqrt(3)),
    ),
    Number(
        "scaled_dot_product",
        "0.21 0.80 0.26 and 0.27 0.34 0.69 cannot be one; their sums are «1.27» and «1.30»",
        lambda: (0.21 + 0.80 + 0.26, 0.27 + 0.34 + 0.69),
    ),
    Number(
        "scaled_dot_product",
        "The 0.80 is close to «0.8179», which is what one gets without the scale",
        lambda: softmax(LECTURE_SCORES[1])[1],
    ),
    Number("scaled_dot_product", "it is 3, and $\\sqrt 3 = «1.7321»$", lambda: math.sqrt(3)),
    Number(
        "why_scale",
        "the weights («0.5», «0.5»), and $J$ has «0.25» twice on its diagonal and «-0.25» twice beside it",
        lambda: (softmax([0, 0]), jacobian([0, 0])[0]),
    ),
    Number(
        "why_scale",
        "$\\sqrt{4 \\cdot «0.0625»} = «0.5»$. For the scores (4, 0) it is only «0.0353»",
        lambda: (0.25**2, jacobian([0, 0]).norm(), jacobian([4, 0]).norm()),
    ),
    Number("why_scale", "about «4» at $d_k = 16$, «8» at 64", lambda: (math.sqrt(16), math.sqrt(64))),
    Number("why_scale", "deviations of 2 and 3 it is «36»", lambda: 2**2 * 3**2),
    Number(
        "why_scale",
        "With mean 1 and variance 1 it is «3» at any size",
        lambda: (1 + 1**2) * (1 + 1**2) - (1 * 1) ** 2,  # the mean of the squares less the square of the mean
    ),
    Number(
        "why_scale",
        "it is «1/9», since these layers shrink their input to a variance of «1/3»",
        lambda: (Fraction(1, 3) ** 2, Fraction(1, 3)),  # numbers spread evenly from -c to c have c² / 3
    ),
    Number(
        "why_scale",
        "the largest entry of the Jacobian is «0.000000006»",
        lambda: jacobian([20, 0, 0, 0]).abs().max(),
    ),
    Number(
        "self_attention_v1",
        "have the dot product «1.8524». With $d_k = 2$ this becomes «1.8524» / «1.4142» = «1.3098», "
        "and the softmax over all six tokens makes it the weight «0.2264»",
        lambda: (
            JOURNEY_SCORES[JOURNEY],
            JOURNEY_SCORES[JOURNEY],
            math.sqrt(2),
            JOURNEY_SCORES[JOURNEY] / math.sqrt(2),
            softmax(JOURNEY_SCORES / math.sqrt(2))[JOURNEY],
        ),
    ),
    Number(
        "self_attention_v1",
        "without the scale the weight 0.2264 becomes 0.2507",
        lambda: (softmax(JOURNEY_SCORES / math.sqrt(2))[JOURNEY], softmax(JOURNEY_SCORES)[JOURNEY]),
    ),
    Number("self_attention_v1", "the two roots, 1.73 and 1.41,", lambda: (math.sqrt(3), math.sqrt(2))),
    Number(
        "self_attention_v2",
        "has «6» numbers in its weight and «2» in its bias, so the class has «18» parameters, or «24»",
        lambda: (3 * 2, 2, 3 * linear(3, 2, bias=False), 3 * linear(3, 2)),
    ),
    Number(
        "transfer_weights",
        "$x = (1, 0, 0)$, v2 gives $q = («1», «4»)$",
        lambda: table([1, 0, 0]) @ table([[1, 2, 3], [4, 5, 6]]).T,
    ),
    Number(
        "additive_attention",
        "$\\tanh 0 = «0»$ and $\\tanh 1 = «0.7616»$, the weights «0.3183» and «0.6817», "
        "and the context «0.6817»",
        lambda: (
            (scores := table([math.tanh(0 + 0), math.tanh(0 + 1)])),
            softmax(scores),
            softmax(scores) @ table([0, 1]),
        ),
    ),
    Number("questions_3", "b: «60», then «60»", lambda: (3 * 5 * 4, 3 * 5 * 4)),
    Number("questions_3", "with $3 \\cdot 5 \\cdot 4 = «60»$ entries", lambda: 3 * linear(5, 4, bias=False)),
    Number("questions_3", "The «36» or «144» attention weights", lambda: (6 * 6, 12 * 12)),
    Number("questions_3", "a: «96», then «204»", lambda: (60 + 6**2, 60 + 12**2)),
    Number("questions_3", "c: «36», then «144»", lambda: (6 * 6, 12 * 12)),
    Number("questions_3", "d: «60», then «120»", lambda: (3 * 5 * 4, 2 * 3 * 5 * 4)),
    Number("questions_3", "e: «72», then «72»", lambda: (3 * linear(5, 4), 3 * linear(5, 4))),
    Number("questions_3", "e: It is «2.25».", lambda: 16 * 3**2 * 0.5**2 / math.sqrt(16) ** 2),
    Number(
        "questions_3",
        "has the variance $9 \\cdot «0.25» = «2.25»$, the sum of 16 products has «36»",
        lambda: (0.5**2, 3**2 * 0.5**2, 16 * 3**2 * 0.5**2),
    ),
    Number("questions_3", "b: It is «1.5».", lambda: 3 * 0.5),
    Number("questions_3", "c: It is «36».", lambda: 16 * 3**2 * 0.5**2),
    Number("questions_3", "d: It is «0.14».", lambda: 16 * 3**2 * 0.5**2 / 16 / 16),
    Number(
        "questions_3",
        "its weights, to eight decimals, are 0.5, 0.5, 0 and 0",
        lambda: [round(float(weight), 8) for weight in softmax([20, 20, 0, 0])],
    ),
    Number(
        "questions_3",
        "For the first two that is 0.25, or -0.25 with each other",
        lambda: jacobian([20, 20, 0, 0])[0, :2],
    ),
    Number(
        "questions_3",
        "the largest of them is $«10^{-9}»$",
        lambda: round(float(jacobian([20, 20, 0, 0])[2:].abs().max()), 9),
    ),
    Number(
        "questions_3",
        "the scores lie «8» times as far apart: 0 and 1 give the weights «0.27» and «0.73», "
        "but 0 and «8» give «0.0003» and «0.9997»",
        lambda: (math.sqrt(64), softmax([0, 1]), 1 * math.sqrt(64), softmax([0, 8])),
    ),
]

ASSIGNMENT_4 = [
    Number(
        "causal_mask",
        '"Your" and "journey" have «0.2041» and «0.1659»; «0.3700» is left, and the row becomes '
        "«0.2041» / «0.3700» = «0.5517» and «0.1659» / «0.3700» = «0.4483»",
        lambda: (
            (seen := SEED_789_WEIGHTS[JOURNEY, :2]),
            seen.sum(),
            [(weight, seen.sum(), weight / seen.sum()) for weight in seen],
        ),
    ),
    Number(
        "causal_mask",
        "by about «104» or more, the first softmax rounds every visible weight to 0",
        lambda: first(lambda n: torch.tensor([0.0, -n]).softmax(-1)[1] == 0),
    ),
    Number(
        "attention_dropout",
        "a weight of 0.4 becomes 0 or 0.4 / «0.8» = «0.5». Its mean is 0.2 · 0 + «0.8» · «0.5» = «0.4»",
        lambda: (
            1 - 0.2,
            0.4 / (1 - 0.2),
            1 - 0.2,
            0.4 / (1 - 0.2),
            0.2 * 0 + (1 - 0.2) * 0.4 / (1 - 0.2),
        ),
    ),
    Number("attention_dropout", "About «200,000» entries should be 0", lambda: 0.2 * 1000 * 1000),
    Number(
        "attention_dropout",
        "of the book's «36» ones «15» are dropped",
        lambda: (DROPPED.numel(), (DROPPED == 0).sum()),
    ),
    Number(
        "attention_dropout",
        "one row sums to «2» and another one to «0»",
        lambda: ((SEED_789_WEIGHTS.tril() / SEED_789_WEIGHTS.tril().sum(1, True)) * DROPPED).sum(1)[:2],
    ),
    Number(
        "causal_attention",
        "the weights 0.2689 and 0.7311, the context 0.7311",
        lambda: (softmax([0, 1]), softmax([0, 1]) @ table([0, 1])),
    ),
    Number("causal_attention", "1024 x 1024 floats are «4» MiB", lambda: 1024 * 1024 * 4 / 2**20),
    Number("questions_4", "b: («0.4», «0.6», 0)", lambda: softmax(table([0.02, 0.03]).log())),
    Number("questions_4", "0.02 / «0.05» = «0.4»", lambda: (0.02 + 0.03, 0.02 / (0.02 + 0.03))),
    Number("questions_4", "0.03 / «0.05» = «0.6»", lambda: (0.02 + 0.03, 0.03 / (0.02 + 0.03))),
    Number(
        "questions_4", "c: Zeros in about «1» of 5 calls, otherwise «1.25» times", lambda: (0.2 * 5, 1 / 0.8)
    ),
    Number(
        "questions_4",
        "$1 / (1 - 0.2) = «1.25»$. On average that is $«0.8» \\cdot «1.25» = «1»$",
        lambda: (1 / (1 - 0.2), 1 - 0.2, 1 / (1 - 0.2), 0.2 * 0 + 0.8 * 1 / (1 - 0.2)),
    ),
    Number("questions_4", "would make the average «4» times", lambda: (1 - 0.2) / 0.2),
    Number("questions_4", "$1 / (1 - 0.5) = «2»$, always", lambda: 1 / (1 - 0.5)),
    Number(
        "questions_4",
        "It is «18» on average, and «15» in the book",
        lambda: (36 * 0.5, (DROPPED == 0).sum()),
    ),
    Number("questions_4", "has the mean «42/36»", lambda: Fraction(int(DROPPED.sum()), DROPPED.numel())),
    Number("questions_4", "a: «262,144»", lambda: 512 * 512),
    Number(
        "questions_4",
        "the mask then throws «130,816» of them away",
        lambda: torch.ones(512, 512).triu(diagonal=1).sum(),
    ),
    Number("questions_4", "b: «131,328»", lambda: torch.ones(512, 512).tril().sum()),
    Number(
        "questions_4",
        "after masking, $512 \\cdot «513» / 2$",
        lambda: torch.ones(512, 512).tril().sum() / 512 * 2,
    ),
    Number(
        "questions_4",
        "are blocked, $512 \\cdot «511» / 2$",
        lambda: torch.ones(512, 512).triu(diagonal=1).sum() / 512 * 2,
    ),
]

ASSIGNMENT_5 = [
    Number(
        "multi_head_wrapper",
        "the contexts (-0.4519, 0.2216) and (0.4772, 0.1063). Together: (-0.4519, 0.2216, 0.4772, 0.1063)",
        lambda: (two_heads(2)[YOUR], two_heads(2)[YOUR]),
    ),
    Number("multi_head_wrapper", "With 2 features a head and 2 heads that makes «4»", lambda: 2 * 2),
    Number(
        "two_dimensional_wrapper",
        "with `d_out=4` and `num_heads=3` it is 4 · 3 = «12»",
        lambda: 4 * 3,
    ),
    Number("two_dimensional_wrapper", "so a head has «64»", lambda: 768 / 12),
    Number(
        "two_dimensional_wrapper",
        '0, "Your" | «-0.5740», «0.2216» | «-0.0915», «0.0342» |',
        lambda: (two_heads(1)[YOUR], two_heads(1, over=0)[YOUR]),
    ),
    Number(
        "two_dimensional_wrapper",
        '5, "step" | «-0.6424», «-0.1065» | «-1.4744», «-0.3433» |',
        lambda: (two_heads(1)[STEP], two_heads(1, over=0)[STEP]),
    ),
    Number(
        "two_dimensional_wrapper",
        "W_value is («-0.4196», «-0.4590», «-0.3648»), and its product with (0.43, 0.15, 0.89) is «-0.5740»",
        lambda: (SEED_123_ROWS[2], TOKENS[YOUR] @ SEED_123_ROWS[2]),
    ),
    Number(
        "two_dimensional_wrapper",
        "The published table has about «0.16» of that",
        lambda: two_heads(1, over=0)[YOUR, 0] / two_heads(1)[YOUR, 0],
    ),
    Number(
        "split_heads",
        "head 0 gets «10» and «11», head 1 gets «12» and «13», head 2 gets «14» and «15»",
        lambda: [10 + head * (6 // 3) + feature for head in range(3) for feature in range(6 // 3)],
    ),
    Number(
        "split_heads",
        "(«10», «11») of the one token and («20», «21») of the other",
        lambda: [start + feature for start in (10, 20) for feature in range(6 // 3)],
    ),
    Number(
        "multi_head_attention",
        "`head_dim` is «4». If a query of one head has the scores 0 and 2, they become «0» and «1», and the "
        "weights are «0.2689» and «0.7311». (Divided by $\\sqrt 8$ they would be «0.3302» and «0.6698».)",
        lambda: (
            8 / 2,
            table([0, 2]) / math.sqrt(8 / 2),
            softmax(table([0, 2]) / math.sqrt(8 / 2)),
            softmax(table([0, 2]) / math.sqrt(8)),
        ),
    ),
    Number(
        "stack_to_split",
        "the heads give «3» and «7», and $A$ gives $(«3», «7»)$",
        lambda: (1 + 2, 3 + 4, table([1, 1]) @ table([[1, 2], [3, 4]]).T),
    ),
    Number("gpt2_attention", "$3 \\cdot 2 + 2 = «8»$", lambda: linear(3, 2)),
    Number("gpt2_attention", "The whole layer has «2,360,064»", lambda: attention(768, 768)),
    Number(
        "gpt2_attention",
        'has «124,439,808» of them altogether, hence the name "«124»M"',
        lambda: (
            gpt2(),
            gpt2() / 1e6,
        ),
    ),
    Number("gpt2_attention", "Where «2,360,064» comes from", lambda: attention(768, 768)),
    Number(
        "gpt2_attention",
        "have 4 · «589,824» = «2,359,296» entries, and the bias of `out_proj` has «768» more",
        lambda: (768**2, 4 * 768**2, attention(768, 768) - 4 * 768**2),
    ),
    Number(
        "gpt2_attention",
        "have biases: «2,362,368» parameters a layer, so «28,348,416» in its twelve layers, «23» % of all",
        lambda: (
            attention(768, 768, bias=True),
            12 * attention(768, 768, bias=True),
            100 * 12 * attention(768, 768, bias=True) / gpt2(),
        ),
    ),
    Number("gpt2_attention", "another «38.6» million", lambda: WORDS * 768 / 1e6),
    Number(
        "gpt2_attention",
        "has «124,439,808» parameters. The paper said 117M",
        gpt2,
    ),
    Number("gpt2_attention", "counted twice it would be «163» million", lambda: (gpt2() + WORDS * 768) / 1e6),
    Number(
        "gpt2_attention",
        "would make «106» million parameters in one layer (and «340» million if `d_in` were as wide)",
        lambda: (attention(768, 768 * 12) / 1e6, attention(768 * 12, 768 * 12) / 1e6),
    ),
    Number(
        "masked_multi_head",
        "its weights are 0.2689, 0.7311 and 0",
        lambda: softmax([0, 1, -math.inf]),
    ),
    Number("masked_multi_head", "«1,048,576» for 512 features", lambda: 4 * 512**2),
    Number(
        "cross_attention",
        "The scores are «0», «1», «2», the weights «0.0900», «0.2447», «0.6652», and the output is «25.7521»",
        lambda: (1 * table([0, 1, 2]), softmax([0, 1, 2]), softmax([0, 1, 2]) @ table([10, 20, 30])),
    ),
    Number(
        "cross_attention",
        "the weights are «0.2689», «0.7311», «0», and the output is «17.3106»",
        lambda: (softmax([0, 1]), 0, softmax([0, 1]) @ table([10, 20])),
    ),
    Number("questions_5", "has «2,360,064» parameters", lambda: attention(768, 768)),
    Number("questions_5", "c: «2,360,064»", lambda: attention(768, 24 * (768 // 24))),
    Number("questions_5", "a: «4,720,128»", lambda: 2 * attention(768, 768)),
    Number("questions_5", "b: «1,180,032»", lambda: attention(768, 768) / 2),
    Number("questions_5", "d: «4,719,360»", lambda: 2 * 4 * 768**2 + 768),
    Number(
        "questions_5",
        "24 heads are «32» wide, where 12 were «64» wide",
        lambda: (768 / 24, 768 / 12),
    ),
    Number("questions_5", "inside projections of width «1,536»", lambda: 24 * 64),
    Number("questions_5", "d: «64» wide, from all the 512 features", lambda: 512 / 8),
    Number("questions_5", "split into 8 queries of «64»", lambda: 512 / 8),
    Number(
        "questions_5",
        "$12 \\cdot 1024^2 \\cdot 64$ and $1024^2 \\cdot 768$ are the same «805» million",
        lambda: 12 * 1024**2 * 64 / 1e6,
    ),
    Number("questions_5", "and $1024^2 \\cdot 768$ are the same «805» million", lambda: 1024**2 * 768 / 1e6),
    Number("questions_5", "«1,048,576» weights become «12,582,912»", lambda: (1024**2, 12 * 1024**2)),
    Number(
        "questions_5",
        "a: As many multiplications, «12» times as many weights",
        lambda: 12 * 1024**2 / 1024**2,
    ),
    Number("questions_5", "b: Yes. It projects to 24 · 128 = «3072»", lambda: 24 * 128),
    Number("questions_5", "as «16» · 128 = «2048»", lambda: (2048 / 128, 16 * 128)),
    Number(
        "questions_5",
        "e: One head «5», then «5». Two heads («3», «7»), then («7», «3»)",
        lambda: [
            (3 / 2 + 7 / 2),
            (7 / 2 + 3 / 2),
            (1 * 3 + 0 * 7, 0 * 3 + 1 * 7),
            (1 * 7 + 0 * 3, 0 * 7 + 1 * 3),
        ],
    ),
]

ASSIGNMENT_6 = [
    Number(
        "word_order",
        "From $x = (1, 2, 4)$ it makes $(«1», «3», «7»)$. The order $(2, 0, 1)$ turns $x$ into "
        "$(«4», «1», «2»)$, and $f$ makes $(«4», «5», «7»)$ of it",
        lambda: (
            sums_so_far([1, 2, 4]),
            reordered([1, 2, 4], [2, 0, 1]),
            sums_so_far(reordered([1, 2, 4], [2, 0, 1])),
        ),
    ),
    Number(
        "word_order",
        "Equivariance asks for $(«7», «1», «3»)$: off by «3», «4», «4», so the error is «4»",
        lambda: (
            (asked := table(reordered(sums_so_far([1, 2, 4]), [2, 0, 1]))),
            (off := (table(sums_so_far([4, 1, 2])) - asked).abs()),
            off.max(),
        ),
    ),
    Number(
        "word_order",
        "Invariance asks for $(«1», «3», «7»)$: off by «3», «2», «0», so the error is «3»",
        lambda: (
            (asked := table(sums_so_far([1, 2, 4]))),
            (off := (table(sums_so_far([4, 1, 2])) - asked).abs()),
            off.max(),
        ),
    ),
    Number(
        "word_order",
        "a small one found the previous token in «99.7» % of the cases",
        lambda: sum(TRAINED["none, at 32"]) / 3,
    ),
    Number(
        "sinusoidal_encoding",
        "the first pair is $\\sin 1 = «0.8415»$, $\\cos 1 = «0.5403»$; the second has "
        "$10000^{2/4} = «100»$, so $\\sin «0.01» = «0.0100»$, $\\cos «0.01» = «0.99995»$",
        lambda: (pair(1), 10_000 ** (2 / 4), 1 / 100, math.sin(1 / 100), 1 / 100, math.cos(1 / 100)),
    ),
    Number(
        "sinusoidal_encoding",
        "Wavelengths: 6.28 and 628.3",
        lambda: (wavelength(0, 4), wavelength(2, 4)),
    ),
    Number(
        "sinusoidal_encoding",
        "has gone round after «6.3» tokens; with `d_model=512` the last pair needs «60,611»",
        lambda: (wavelength(0, 512), wavelength(510, 512)),
    ),
    Number(
        "sinusoidal_encoding",
        "the first dimensions move by about «0.6» on average",
        lambda: (torch.arange(1.0, 1001.0).sin() - torch.arange(1000.0).sin()).abs().mean(),
    ),
    Number(
        "sinusoidal_encoding",
        "it is off by up to «0.0004» there",
        lambda: (sines(torch.float32) - sines(torch.float64)).abs().max(),
    ),
    Number(
        "sinusoidal_encoding",
        "to between «12» and «18» % on those just beyond, where guessing gives «6» %",
        lambda: (span("sinusoidal, at 48"), 100 / 16),
    ),
    Number(
        "learned_encoding",
        "becomes $(«1.1», «1.2»), («1.3», «0.9»)$",
        lambda: table([1, 1]) + table([[0.1, 0.2], [0.3, -0.1]]),
    ),
    Number("learned_encoding", "512 rows of 512 numbers are «262,144» parameters", lambda: 512 * 512),
    Number(
        "relative_shift",
        "$PE(0) = («0», «1»)$, so the second column of $M_1$ is $PE(1) = («0.8415», «0.5403»)$; "
        "and $M_1$ takes $PE(1)$ to $PE(2) = («0.9093», «-0.4161»)$",
        lambda: (pair(0), shift(1)[:, 1], shift(1) @ table(pair(1))),
    ),
    Number("relative_shift", "$PE(2) = («0.9093», «-0.4161»)$", lambda: pair(2)),
    Number(
        "rotary_encoding",
        "the angles are 2 and $2 \\cdot 10000^{-2/4} = «0.02»$",
        lambda: 2 * 10_000 ** (-2 / 4),
    ),
    Number(
        "rotary_encoding",
        "\\cos «0.02», \\sin «0.02») = («-0.4161», «0.9093», «0.9998», «0.0200»)$",
        lambda: (0.02, 0.02, pair(2)[::-1], pair(2 / 100)[::-1]),
    ),
    Number(
        "rotary_encoding",
        "«257» becomes «256»",
        lambda: (257, torch.tensor(257, dtype=torch.bfloat16)),
    ),
    Number(
        "rotary_encoding",
        "bfloat16 cannot tell position «257» from «256»",
        lambda: (
            first(lambda n: int(torch.tensor(n, dtype=torch.bfloat16)) != n),
            torch.tensor(257.0).bfloat16(),
        ),
    ),
    Number(
        "rotary_encoding",
        "in «98»-«100» % of the new positions with 64 tokens, in «79»-«93» % with 128, "
        "and in «39»-«47» % with 256",
        lambda: [span(f"rotary, at {tokens}") for tokens in (64, 128, 256)],
    ),
    Number(
        "alibi",
        "still right in «99.9» % or more of the positions at 256 tokens; "
        "rotary encodings fell to «39»-«47» %",
        lambda: (min(TRAINED["alibi, at 256"]), span("rotary, at 256")),
    ),
    Number(
        "alibi",
        "8 heads have «1/2», «1/4», «1/8», … «1/256»",
        lambda: [(2 ** (-8 / 8)) ** h for h in (1, 2, 3, 8)],
    ),
    Number(
        "alibi",
        "the first slope is $2^{-8/4} = «0.25»$ and the last $«0.25»^4 = «0.0039»$; "
        "a key two tokens back costs the first head «0.5»",
        lambda: (2 ** (-8 / 4), 2 ** (-8 / 4), (2 ** (-8 / 4)) ** 4, 2 * 2 ** (-8 / 4)),
    ),
    Number("alibi", "with eight heads «1/2», «1/4», … «1/256»", lambda: [2.0**-h for h in (1, 2, 8)]),
    Number(
        "alibi",
        "A head with $m = 1/2$ halves a weight about every «1.4» tokens; one with $m = 1/256$ every «177»",
        lambda: (math.log(2) / (1 / 2), math.log(2) / (1 / 256)),
    ),
    Number("questions_6", "(0, 1) and («0.018», «1.000»)", lambda: pair(44)),
    Number("questions_6", "«1» here and «1.000» there", lambda: (math.cos(0), math.cos(44))),
    Number("questions_6", "turns once in «6.28» tokens", lambda: wavelength(0, 512)),
    Number(
        "questions_6",
        "The pair with the wavelength «628», for one, has made «7» % of a turn",
        lambda: (wavelength(256, 512), 100 * 44 / wavelength(256, 512)),
    ),
    Number("questions_6", "for the first pair alone. There are «256»", lambda: 512 / 2),
    Number("questions_6", "as the distance is «3» in both", lambda: 13 - 10),
    Number("questions_6", "so rows «100» to «511» are as", lambda: (100, 512 - 1)),
    Number("questions_6", "(guessing: «6» %)", lambda: 100 / 16),
    Number(
        "questions_6",
        "one kind was right in «100» %, the other in «8» % of cases",
        lambda: [sum(TRAINED[f"{kind}, at 256"]) / 3 for kind in ("alibi", "sinusoidal")],
    ),
    Number("questions_6", "Distances above «31» are new", lambda: 32 - 1),
]

NUMBERS = [*ASSIGNMENT_1, *ASSIGNMENT_2, *ASSIGNMENT_3, *ASSIGNMENT_4, *ASSIGNMENT_5, *ASSIGNMENT_6]

# Inputs with a point, a separator or five digits: given, not computed
GIVEN = {
    "rnn_bottleneck": {"0.9", "1.1"},
    "context_vector": {"0.55", "0.87", "0.66", "0.43", "0.15", "0.89"},
    "all_context_vectors": {"1,000"},
    "scaled_dot_product": {"0.9", "3.2", "1.1", "0.21", "0.80", "0.26"},
    "transfer_weights": {"3.1"},  # the number of the exercise in the book
    "attention_dropout": {"0.2", "0.4"},
    "two_dimensional_wrapper": {"3.2"},
    "gpt2_attention": {"3.3", "1,024", "0.0"},
    "cross_attention": {"3.2"},  # the number of the section in the paper
    "sinusoidal_encoding": {"10000"},
    "learned_encoding": {"0.1", "0.2", "0.3", "-0.1"},
    "relative_shift": {"10000"},
    "rotary_encoding": {"10000"},
    "questions_1": {"0.5"},
    "questions_2": {"0.12"},  # a choice; the range that it must lie in is computed
    "questions_4": {"0.02", "0.03", "0.2", "0.5"},
}


def texts(place: Room) -> list[str]:
    """All that a student may read about an exercise."""
    if place.is_sheet:
        return [plain(place.sheet.read_text(encoding="utf-8"))]
    files = [place.solution, place.hints_file, place.explanation_file]
    return [plain(path.read_text(encoding="utf-8")) for path in files]


def promises(place: Room) -> list[str]:
    """The texts whose numbers must be proved: the statement, or the right choices and why they are right."""
    if place.is_sheet:
        asked = read_sheet(place.sheet).questions
        return [
            plain(text) for one in asked for text in (f"{one.right}: {one.choices[one.right]}", one.because)
        ]
    return [plain(place.solution.read_text(encoding="utf-8").split("# %%\n")[0])]


def proved(place: Room, text: str) -> set[int]:
    """Where in a text the numbers begin that the table computes."""
    return {
        start + numeral.start()
        for case in NUMBERS
        if case.exercise == place.exercise.name
        for start in (found.start() for found in re.finditer(re.escape(case.text), text))
        for numeral in case.numerals
    }


@pytest.mark.parametrize("case", [case for case in NUMBERS if case.exercise in ROOMS], ids=str)
def test_a_number_is_what_it_should_be(case):
    """The quote stands in the text, and each of its numbers is the computed one, rounded."""
    assert any(case.text in text for text in texts(ROOMS[case.exercise])), f"not there: {case.text}"
    computed = all_of(case.compute())
    printed = [numeral[0] for numeral in case.numerals]
    assert printed
    assert len(printed) == len(computed), (printed, computed)
    wrong = [
        f"{numeral[0]} should be {number}"
        for numeral, number in zip(case.numerals, computed, strict=True)
        if not agree(value_and_step(numeral), number)
    ]
    assert wrong == []


@pytest.mark.parametrize("place", ROOMS.values(), ids=lambda place: place.exercise.name)
def test_no_worked_number_is_left_out(place):
    """A statement has numbers in the table: all its decimals and large numbers but the inputs."""
    given, unproved = GIVEN.get(place.exercise.name, set()), []
    for text in promises(place):
        places = proved(place, text)
        assert places or place.is_sheet
        for numeral in NUMERAL.finditer(text):
            worked = re.search(r"[.,]|\d{5}|10\^", numeral[0])
            if worked and numeral.start() not in places and numeral[0] not in given:
                unproved.append(f"{numeral[0]} in: {text[max(numeral.start() - 40, 0) : numeral.end() + 10]}")
    assert unproved == []


def test_a_number_is_rounded_to_the_printed_digits():
    """More digits agree if they round to the printed ones; an exact number has to be met."""

    def said(text: str) -> tuple[Fraction, Fraction]:
        return value_and_step(NUMERAL.fullmatch(text))

    assert agree(said("0.2689"), 0.268941)
    assert not agree(said("0.2689"), 0.268961)
    assert not agree(said("-0.2689"), 0.268941)
    assert agree(said("6 \\cdot 10^{-9}"), 6.18e-9)
    assert not agree(said("6 \\cdot 10^{-9}"), 5.4e-9)
    assert not agree(said("1/256"), 1 / 255)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("about 12,528 and 2{,}360{,}064.", ["12528", "2360064"]),
        ("(-0.4519, 0.2216), but 39-47 % and $1 - 2$", ["-0.4519", "0.2216", "39", "47", "1", "2"]),
        ("$6 \\cdot 10^{-9}$, 1e-7, $10^{10}$, 42/36", ["6e-9", "1e-7", "1e10", "7/6"]),
        ("x_1, v2 and float32; 1.30. 0.5000", ["1.3", "0.5"]),
    ],
)
def test_numbers_are_read_as_they_are_meant(text, numbers):
    """Separators, signs, powers and fractions are understood."""
    assert [value_and_step(found)[0] for found in NUMERAL.finditer(text)] == [Fraction(n) for n in numbers]
