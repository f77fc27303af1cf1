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
    raise NotImplementedError("encode: return the shifted text")


# %%
def decode(text, shift):
    """The text with every letter moved back by shift places.

    Example:
        >>> decode("App!", 1)
        'Zoo!'
    """
    raise NotImplementedError("decode: your code goes here")
