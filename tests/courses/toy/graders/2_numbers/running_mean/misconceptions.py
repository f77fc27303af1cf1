"""How people get running_mean wrong."""

from softmarks.course.rooms import Misconception, Trivial

MISCONCEPTIONS = [
    Misconception(
        "whole-division",
        (("self.total / self.count", "self.total // self.count"),),
        says="The mean is rounded down to a whole number.",
        hint="line",
        keeps=(0.1, 0.2),
    ),
    Misconception(
        "shared-by-all",
        replaces=(
            "RunningMean",
            """
class RunningMean:
    count = 0
    total = 0

    def add(self, number):
        RunningMean.count += 1
        RunningMean.total += number

    def mean(self):
        if self.count == 0:
            raise ValueError("there is no mean of no number")
        return self.total / self.count
""",
        ),
        says="Count and total belong to the class, so all running means share them.",
        hint="nudge",
        keeps=(0.1, 0.2),
    ),
    Misconception(
        "half-way-to-the-new-one",
        (
            (
                "        self.count += 1\n        self.total += number\n",
                "        self.value = self.next(number)\n",
            ),
            ("    def mean(self):\n", "    value = None\n\n    def mean(self):\n"),
            ("        return self.total / self.count\n", "        return self.value\n"),
            ("        if self.count == 0:\n", "        if self.value is None:\n"),
            (
                "\n\n# %%\nSTEPS",
                "\n    def next(self, number):\n"
                "        return number if self.value is None else (self.value + number) / 2\n"
                "\n\n# %%\nSTEPS",
            ),
        ),
        says="Each new number is averaged with the mean so far, so late numbers weigh more.",
        hint="formula",
        keeps=(0.3, 0.4),
    ),
    Misconception(
        "zero-for-nothing",
        (('raise ValueError("there is no mean of no number")', "return 0.0"),),
        says="The mean of no number is 0 instead of an error.",
        hint="nudge",
        keeps=(0.65, 0.8),
    ),
]

TRIVIAL = [
    Trivial(
        "zero",
        (('STEPS = {"add": 2}\n', ""),),
        replaces=("RunningMean.mean", "def mean(self):\n    return 0.0"),
    ),
    Trivial(
        "last-number",
        (('STEPS = {"add": 2}\n', ""), ("self.total += number", "self.total = number")),
        replaces=("RunningMean.mean", "def mean(self):\n    return self.total"),
    ),
]
