"""Right, but for the name of its class.

running_mean: 0, missing
naive: nothing: it cannot be imported
"""


class MeanSoFar:
    def __init__(self):
        self.numbers = []

    def add(self, number):
        self.numbers.append(number)

    def mean(self):
        if not self.numbers:
            raise ValueError
        return sum(self.numbers) / len(self.numbers)
