"""Answers with a whole number that has a million digits.

running_mean: 0, wrong-value
naive: nothing: the difference is large
"""


class RunningMean:
    def add(self, number):
        pass

    def mean(self):
        return 1 << 3_300_000


STEPS = {"add": None}
