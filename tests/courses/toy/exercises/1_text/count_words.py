# %% [markdown]
# # Count the words of a text
#
# 10 minutes, about 5 lines.
#
# Words are separated by white space. Upper and lower case do not matter.


# %%
def count_words(text):
    """How often each word occurs in a text.

    Steps:
        1. take the text in lower case
        2. split it at white space
        3. count each word
    Example:
        >>> count_words("the cat and the dog")
        {'the': 2, 'cat': 1, 'and': 1, 'dog': 1}
    Errors: TypeError for what is no text
    """
    raise NotImplementedError("count_words: return a dictionary from word to number")
