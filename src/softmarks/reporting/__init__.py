"""Lays verdicts out: for a terminal, as a page, as a grade sheet. Decides nothing and words no message."""
