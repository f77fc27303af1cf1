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
    ### BEGIN SOLUTION return a dictionary from word to number
    if not isinstance(text, str):
        raise TypeError("the text must be a string")
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts
    ### END SOLUTION
