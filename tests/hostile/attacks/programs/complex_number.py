"""Answers with a complex number.

running_mean: 0, wrong-value
naive: nothing: its difference has a size
"""


class RunningMean:
    def add(self, number):
        pass

    def mean(self):
        return 7 + 1j


STEPS = {"add": None}
