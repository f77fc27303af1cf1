# %% [markdown]
# # Shift letters, and shift them back
#
# 15 minutes, about 8 lines.
#
# Every letter moves on by `shift` places in the alphabet, and begins again at `a` after `z`. A capital letter
# stays capital; everything else stays as it is.

# %%
from building_blocks import ALPHABET, place


# %%
def encode(text, shift):
    """The text with every letter moved on by shift places.

    Example:
        >>> encode("Zoo!", 1)
        'App!'
    Errors: TypeError for a shift that is no whole number
    """
    ### BEGIN SOLUTION return the shifted text
    if not isinstance(shift, int):
        raise TypeError("the shift must be a whole number")
    shifted = ""
    for letter in text:
        if letter.lower() not in ALPHABET:
            shifted += letter
            continue
        moved = ALPHABET[(place(letter.lower()) + shift) % 26]
        shifted += moved.upper() if letter.isupper() else moved
    return shifted
    ### END SOLUTION


# %%
def decode(text, shift):
    """The text with every letter moved back by shift places.

    Example:
        >>> decode("App!", 1)
        'Zoo!'
    """
    ### BEGIN SOLUTION
    return encode(text, -shift)
    ### END SOLUTION
