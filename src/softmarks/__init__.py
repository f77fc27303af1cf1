"""Softmarks: programming exercises, graded where student code cannot reach the verdict.

PYTEST_DONT_REWRITE
"""

__version__ = "0.1.0"
