"""Ends in a bare number, which another kind of grader takes for the points.

count_words: 0, missing
naive: nothing: there is no such name
"""

500
