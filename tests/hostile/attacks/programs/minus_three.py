"""Answers with -3, which happens to be right once.

running_mean: 0, wrong-value
naive: nothing: it is a plain number
"""


class RunningMean:
    def add(self, number):
        pass

    def mean(self):
        return -3


STEPS = {"add": None}
