"""Tests of `softmarks.submission`."""
