"""Is an empty program.

count_words: 0, missing
naive: nothing: there is no such name
"""
