"""Moves the mean itself towards each new number."""

STEPS = {"add": 2}


class RunningMean:
    def __init__(self):
        self.count, self.value = 0, 0.0

    def add(self, number):
        self.count += 1
        self.value += (number - self.value) / self.count

    def mean(self):
        assert self.count, "no number yet"
        return self.value
