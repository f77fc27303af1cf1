"""Formulas as plain text."""

import pytest

from softmarks.course.formulas import FENCED, flat, readable


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"divide by $\sqrt{d_k}$.", "divide by `√(d_k)`."),
        (r"$\text{softmax}(QK^\top / \sqrt{d_k})\,V$", "`softmax(QK^⊤ / √(d_k)) V`"),
        (r"$\frac{a}{1-p}$, $\frac{1}{2}$", "`a / (1-p)`, `1 / 2`"),
        (r"$s_{i-1}$ and $w_{ij}$", "`s_(i-1)` and `w_ij`"),
        (r"$6 \cdot 10^{-9}$", "`6 · 10^(-9)`"),
        (r"$a\cos\theta$, $\sin(a + b)$", "`a cos θ`, `sin(a + b)`"),
        (r"$a\cos\theta - b$, $f(\cos 2)$", "`a cos θ - b`, `f(cos 2)`"),
        (r"$x = 1 \qquad\qquad y = 2$", "`x = 1    y = 2`"),
        ("so $$x = 1$$ holds", "so \n\n    x = 1\n\n holds"),
        ("no formula, 5 % of `x_1`", "no formula, 5 % of `x_1`"),
        ("costs $5", "costs $5"),
        (r"broken $\{x$", "broken `{x`"),
    ],
)
def test_formula(text, plain):
    """What has no plain sign is written so that it can be read aloud; other text stays as it is."""
    assert readable(text) == plain


def test_a_formula_after_a_list_is_not_of_the_list():
    """Where Markdown is rendered, a display formula has a fence of its own."""
    assert readable("- a\n- b\n\n$$ x = 1 $$", FENCED).startswith("- a\n- b\n\n\n\n```text\nx = 1\n```")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("take *every* row of **all**", "take every row of all"),
        ("the *last\ndimension*", "the last\ndimension"),
        ("`a * b * c`, and *so* on", "`a * b * c`, and so on"),
        ("2 * 3 * 4 and `*args`", "2 * 3 * 4 and `*args`"),
        (r"*each* $s_j$", "each `s_j`"),
    ],
)
def test_flat(text, plain):
    """Without signs of emphasis, which code keeps."""
    assert flat(text) == plain
