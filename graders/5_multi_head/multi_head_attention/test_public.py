"""The public checks of MultiHeadAttention: two heads of four features, and the numbers of the book."""

import pytest
import torch

from softmarks.testing import (
    assert_close,
    assert_names,
    assert_shape,
    check,
    must_raise,
    observe,
    push,
    sample,
    with_weights,
)

INPUTS = [
    [0.43, 0.15, 0.89],  # Your
    [0.55, 0.87, 0.66],  # journey
    [0.57, 0.85, 0.64],  # starts
    [0.22, 0.58, 0.33],  # with
    [0.77, 0.25, 0.10],  # one
    [0.05, 0.80, 0.55],  # step
]
WEIGHTS_OF_THE_BOOK = {  # in the layout of nn.Linear: (outputs, inputs)
    "W_query.weight": [[-0.235430, 0.019124, -0.286746], [0.217727, -0.491934, 0.423223]],
    "W_key.weight": [[-0.419641, -0.459018, -0.364820], [0.261478, -0.213326, 0.216052]],
    "W_value.weight": [[-0.490014, -0.350292, -0.211989], [-0.113461, -0.440439, 0.378044]],
    "out_proj.weight": [[-0.166758, 0.226973], [0.500026, 0.131738]],
    "out_proj.bias": [0.193359, 0.682541],
}
OUTPUT_OF_THE_BOOK = [
    [0.3190, 0.4858],
    [0.2943, 0.3897],
    [0.2856, 0.3593],
    [0.2693, 0.3873],
    [0.2639, 0.3928],
    [0.2575, 0.4028],
]
WEIGHTS = {
    "W_query.weight": [
        [-0.1442, 0.0117, -0.1756, 0.1333, -0.3012, 0.2592, -0.2570, -0.2811],
        [-0.2234, 0.1601, -0.1306, 0.1323, -0.3001, -0.2145, -0.1298, -0.0695],
        [-0.2697, 0.2315, -0.0834, 0.1135, 0.2500, 0.0659, 0.0967, 0.3413],
        [-0.1595, 0.1120, -0.1573, 0.2527, 0.2824, -0.3260, 0.3018, 0.1688],
        [0.1541, 0.1455, 0.2939, -0.0467, -0.2990, -0.1015, -0.2490, 0.0234],
        [-0.0660, -0.1896, -0.0321, 0.3350, -0.0279, 0.0112, -0.0551, 0.0556],
        [0.3150, 0.2162, 0.1255, 0.0768, 0.0834, 0.1366, -0.0457, -0.3286],
        [-0.2186, 0.3018, 0.0211, -0.2864, 0.0558, 0.2921, -0.3341, -0.2380],
    ],
    "W_key.weight": [
        [-0.1408, 0.0142, -0.0825, -0.0389, -0.3447, 0.1656, 0.3103, 0.2161],
        [-0.2504, -0.2850, 0.1468, 0.0079, 0.1449, -0.3455, -0.0211, 0.2493],
        [0.1640, 0.0129, 0.0695, -0.0335, -0.1944, -0.1336, -0.2153, 0.2937],
        [0.1946, 0.1236, -0.2711, 0.2728, 0.1109, 0.2446, -0.1391, 0.0750],
        [0.3452, 0.2378, 0.2835, -0.0742, 0.2694, -0.2769, 0.0306, -0.1991],
        [-0.0825, -0.0905, 0.0265, 0.3218, 0.1750, -0.0015, 0.2510, -0.1812],
        [0.1822, -0.0328, -0.0615, 0.0414, -0.2709, 0.0409, 0.1189, 0.3023],
        [-0.1101, 0.1273, 0.3534, -0.1517, 0.3361, -0.1755, 0.1558, 0.1385],
    ],
    "W_value.weight": [
        [0.0988, 0.2796, -0.1429, 0.0929, 0.0020, -0.2659, -0.0858, -0.2361],
        [0.1563, 0.0318, 0.0346, -0.1073, 0.0017, -0.1100, 0.1016, 0.3434],
        [0.0536, -0.1566, -0.2160, 0.0270, -0.2623, -0.2657, -0.2301, -0.1201],
        [0.0262, 0.2435, 0.1369, 0.2709, -0.2220, 0.0298, -0.3143, 0.2028],
        [0.0737, 0.3420, -0.2515, 0.2835, 0.2985, 0.2859, 0.0505, 0.3215],
        [0.2361, 0.2638, -0.0230, -0.2713, -0.0044, 0.0663, -0.2408, -0.2028],
        [-0.3390, -0.1239, 0.3080, 0.0605, -0.0216, 0.0142, 0.2205, -0.3122],
        [-0.2728, -0.1175, -0.2035, 0.1824, 0.2498, -0.3430, -0.3001, -0.3443],
    ],
    "out_proj.weight": [
        [0.1334, 0.2846, -0.2741, -0.1637, 0.1125, -0.2309, 0.3003, 0.0824],
        [-0.0984, 0.0230, 0.1102, -0.1250, -0.2740, 0.0024, 0.0064, 0.0071],
        [-0.0516, 0.2270, -0.0987, -0.0342, 0.1454, -0.2225, 0.0947, -0.0782],
        [0.1696, -0.1918, 0.0131, 0.0346, -0.2845, -0.2571, 0.1356, -0.1029],
        [0.2100, -0.3493, -0.1748, -0.2912, 0.1412, -0.0102, -0.0659, -0.0588],
        [-0.2764, 0.1003, 0.0088, -0.2440, 0.1330, -0.0071, -0.3419, 0.1902],
        [0.1891, -0.0666, -0.2441, 0.0142, 0.2668, 0.3236, -0.2669, -0.1597],
        [0.2753, 0.1728, 0.2189, -0.1760, 0.3046, -0.2906, -0.0170, 0.0073],
    ],
    "out_proj.bias": [0.0594, -0.2668, 0.3244, 0.3475, -0.2442, 0.0131, -0.1883, 0.3390],
}
X = [
    [0.3374, -0.1778, -0.3035, -0.5880, 0.3486, 0.6603, -0.2196, -0.3792],
    [0.7671, -1.1925, 0.6984, -1.4097, 0.1794, 1.8951, 0.4954, 0.2692],
    [-0.0770, -1.0205, -0.1690, 0.9178, 1.5810, 1.3010, 1.2753, -0.2010],
    [0.4965, -1.5723, 0.9666, -1.1481, -1.1589, 0.3255, -0.6315, -2.8400],
    [-1.3250, 0.1784, -2.1338, 1.0524, -0.3885, -0.9343, -0.4991, -1.0867],
    [0.8805, 1.5542, 0.6266, -0.1755, 0.0983, -0.0935, 0.2662, -0.5850],
]
OUTPUT = [
    [-0.0506, -0.2408, 0.2314, 0.2249, -0.1053, 0.1410, -0.0052, 0.2324],
    [0.0267, -0.1645, 0.3970, 0.2395, -0.1549, 0.1634, -0.0359, 0.0624],
    [0.2610, -0.2674, 0.5217, 0.2620, -0.0489, 0.1888, -0.1275, 0.2697],
    [0.0190, -0.0736, 0.2685, 0.4603, -0.0520, 0.0301, -0.2989, 0.1045],
    [0.1242, -0.1422, 0.2681, 0.4330, -0.0989, 0.0654, -0.3735, 0.2386],
    [-0.0093, -0.1690, 0.2162, 0.4128, -0.0780, -0.0349, -0.1723, 0.1936],
]


def filled(attention, weights):
    """The module in eval mode with these weights, after a look whether it has the parameters for them."""
    assert_names(attention.eval(), tuple(weights))
    with_weights(attention)
    push(attention, {name: torch.tensor(weight) for name, weight in weights.items()})
    return attention


@pytest.mark.values
@pytest.mark.parametrize("tokens", [6, 4])
def test_two_heads_of_four_features(student, tokens):
    """Eight features in two heads, six tokens or four of them, beside another sequence."""
    attention = filled(student.MultiHeadAttention(8, 8, 6, 0.0, 2), WEIGHTS)
    output = attention(torch.stack([sample(tokens, 8), torch.tensor(X[:tokens])]))
    assert_shape(output, (2, tokens, 8), what="the output")
    expected = torch.tensor(OUTPUT[:tokens])
    assert_close(output[1], expected, atol=3e-4, what="the output of the second sequence")


@pytest.mark.values
def test_output_of_the_book(student):
    """With the book's weights, its six tokens get the printed outputs."""
    attention = filled(student.MultiHeadAttention(3, 2, 6, 0.0, 2), WEIGHTS_OF_THE_BOOK)
    output = attention(torch.tensor([INPUTS, INPUTS]))
    expected = torch.tensor([OUTPUT_OF_THE_BOOK, OUTPUT_OF_THE_BOOK])
    assert_close(output, expected, atol=2e-4, what="the output")


@pytest.mark.errors
def test_heads_must_divide_the_features(student):
    """Three heads cannot share eight features."""
    must_raise(student.MultiHeadAttention, 8, 8, 6, 0.0, 3, what="8 features for 3 heads")


@pytest.mark.vectorised
def test_one_product_for_all_heads(student):
    """Two heads and four heads take the same number of operations."""
    counts = []
    for heads in (2, 4):
        attention = student.MultiHeadAttention(8, 8, 6, 0.0, heads).eval()
        counts.append(len(observe(attention, sample(2, 6, 8), watch=True).operations))
    says = f"2 heads take {counts[0]} operations and 4 heads {counts[1]}: all heads in one product, please"
    check(counts[0] == counts[1], says, facts=("grows",))
