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
        raise NotImplementedError("RunningMean.__init__: begin with no number: count and total are 0")

    def add(self, number):
        """Take one more number into account."""
        raise NotImplementedError("RunningMean.add: update count and total")

    def mean(self):
        """The mean of all numbers so far."""
        raise NotImplementedError("RunningMean.mean: return total over count")


# %%
STEPS = {"add": None}  # how many numbers does add have to keep? Replace None
# Your answer goes here.
