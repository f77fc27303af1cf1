"""Answers with infinity.

running_mean: 0, wrong-value
naive: nothing: the difference is infinite
"""


class RunningMean:
    def add(self, number):
        pass

    def mean(self):
        return float("inf")


STEPS = {"add": None}
