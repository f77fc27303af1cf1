"""Formulas as plain text."""

import pytest

from softmarks.course.formulas import readable


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"divide by $\sqrt{d_k}$.", "divide by `√(d_k)`."),
        (r"$\text{softmax}(QK^\top / \sqrt{d_k})\,V$", "`softmax(QK^⊤ / √(d_k)) V`"),
        (r"$\frac{a}{1-p}$, $\frac{1}{2}$", "`a / (1-p)`, `1 / 2`"),
        (r"$s_{i-1}$ and $w_{ij}$", "`s_(i-1)` and `w_ij`"),
        (r"$6 \cdot 10^{-9}$", "`6 · 10^(-9)`"),
        (r"$a\cos\theta$, $\sin(a + b)$", "`a cos θ`, `sin(a + b)`"),
        ("so $$x = 1$$ holds", "so \n\n    x = 1\n\n holds"),
        ("no formula, 5 % of `x_1`", "no formula, 5 % of `x_1`"),
        ("costs $5", "costs $5"),
        (r"broken $\{x$", "broken `{x`"),
    ],
)
def test_formula(text, plain):
    """What has no plain sign is written so that it can be read aloud; other text stays as it is."""
    assert readable(text) == plain
