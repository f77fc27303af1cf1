"""Keeps the numbers themselves: more than is needed, and right."""

from statistics import fmean

STEPS = {"add": 2}


class RunningMean:
    def __init__(self):
        self.numbers = []

    def add(self, number):
        self.numbers.append(number)

    def mean(self):
        return fmean(self.numbers)
