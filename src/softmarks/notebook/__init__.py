"""Notebooks: a course as nbgrader assignments, and checks inside a running notebook."""
