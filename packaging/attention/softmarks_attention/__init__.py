"""The attention course as data: this folder holds its course.yml."""
