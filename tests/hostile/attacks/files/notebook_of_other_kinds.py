"""Hands in a notebook whose cells are a number, whose sources are lists of lists, whose version is a text.

count_words: none, ungradable
"""

import json


def files():
    odd = {
        "nbformat": "four",
        "nbformat_minor": [],
        "metadata": 7,
        "cells": [{"cell_type": "code", "source": [[["x"]]]}, 5],
    }
    return {"count_words.ipynb": json.dumps(odd).encode()}
