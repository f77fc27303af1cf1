# %% [markdown]
# # The mean of all numbers so far
#
# 10 minutes, about 6 lines.
#
# Keep what the mean needs: not the numbers themselves.


# %%
class RunningMean:
    """The mean of the numbers added so far.

    Example:
        >>> mean = RunningMean()
        >>> mean.add(1)
        >>> mean.add(2)
        >>> mean.mean()
        1.5
    Errors: ValueError for the mean of no number
    """

    def __init__(self):
        ### BEGIN SOLUTION begin with no number: count and total are 0
        self.count = 0
        self.total = 0
        ### END SOLUTION

    def add(self, number):
        """Take one more number into account."""
        ### BEGIN SOLUTION update count and total
        self.count += 1
        self.total += number
        ### END SOLUTION

    def mean(self):
        """The mean of all numbers so far."""
        ### BEGIN SOLUTION return total over count
        if self.count == 0:
            raise ValueError("there is no mean of no number")
        return self.total / self.count
        ### END SOLUTION


# %%
STEPS = {"add": None}  # how many numbers does add have to keep? Replace None
### BEGIN SOLUTION Your answer goes here.
STEPS = {"add": 2}
### END SOLUTION
