# ===- tolerances.py - How near is near enough, and why --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far results may be from what is expected.

Every comparison of tests and tools that is not exact takes one of these, so
that whatever is laxer than DEFAULT stands here with its reason. Elements agree
when |a - b| <= atol + rtol * |b|. The random graphs need none: each of their
values carries a bound of its own error (nacre.fuzz).
"""


class Tolerance(dict):
    """The arguments `rtol` and `atol` of a comparison."""

    def __init__(self, rtol, atol, reason):
        super().__init__(rtol=rtol, atol=atol)
        self.reason = reason

    def scaled_to(self, largest):
        """The same with `atol` as a share of the largest element expected."""
        return Tolerance(self["rtol"], self["atol"] * largest, self.reason)


class Ratio:
    """The least signal over noise, in decibels: 10 * log10 of the sum of
    squares that are expected over that of the differences."""

    def __init__(self, decibels, reason):
        self.decibels = decibels
        self.reason = reason


# What `nacre check` applies where neither --rtol nor --atol is given: ONNX's own
# tolerances for its backend tests are 1e-3 and 1e-7.
CHECK = Tolerance(
    1e-3, 1e-5,
    "whole networks add in another order than the producer of the data, and "
    "small elements are differences of large ones; a unit in the last place of "
    "the type is allowed besides, since how a float16 or bfloat16 was rounded "
    "is up to the producer")
# The same with --precision=bf16, where as much of the largest element is added.
CHECK_BFLOAT16 = Tolerance(
    5e-2, 1e-5,
    "operands are rounded to 8 bits, which adds up over the layers of a network")

EXACT = Tolerance(0, 0, "what keeps bits, or computes with integers, is exact")
DEFAULT = Tolerance(
    1e-4, 1e-5,
    "one operator in float32 against NumPy, which adds in another order")

DOUBLE = Tolerance(
    1e-12, 1e-12,
    "sums of float64 in another order; float32 on the way would show at 1e-7")
CANCELLATION = Tolerance(
    1e-4, 1e-4,
    "sums of many terms of either sign: what is left of them is small beside "
    "their rounding")
FAR_FROM_ZERO = Tolerance(
    1e-3, 1e-3,
    "deviations from a mean hundreds of times as large, which is rounded")
ELIMINATION = Tolerance(
    1e-3, 1e-3,
    "a determinant is a product of differences, which depend on the order of "
    "elimination")
DIFFERENCE_QUOTIENT = Tolerance(
    1e-3, 1e-4,
    "the expected derivative is a quotient of differences, itself inexact")
KERNEL_MACHINE = Tolerance(
    1e-3, 1e-5,
    "cubes and exponentials amplify the error of the sums that they are of")
DEQUANTIZED_SUMS = Tolerance(
    1e-3, 1e-3,
    "sums of dequantized numbers, whose scale is applied before or after they "
    "are added, of elements in the tens")
SCALED_INTEGERS = Tolerance(
    1e-4, 1e-4,
    "integer sums, exact, are scaled and shifted by a bias that may cancel them")
QUANTIZED_ATTENTION = Tolerance(
    1e-3, 1e-4,
    "softmax amplifies the rounding of scores of dequantized operands")
QUANTIZED_BLOCKS = Tolerance(
    1e-3, 1e-2,
    "weights of 2 to 8 bits times random scales make terms in the hundreds, "
    "which cancel")
QUANTIZED_STEP = Tolerance(
    1e-4, 1,
    "results are integers: a value that lies between two of them becomes either")
PRINTED = Tolerance(
    2e-3, 2e-3, "`nacre classify` prints the first digits of a score")
SHRUNK_PICTURE = Tolerance(
    0, 16, "each pixel of a smaller picture has a little of its neighbours")
JPEG_PIXELS = Tolerance(
    0, 1, "a decoder of JPEG may round either way, and whole pixels are what it "
    "rounds to")
# These three with scaled_to().
NETWORK = Tolerance(
    1e-3, 1e-5, "some layers, whose sums are of terms of all magnitudes")
WHOLE_NETWORK = Tolerance(
    1e-3, 1e-3, "dozens of layers, whose sums are of a thousand terms")
NETWORK_BFLOAT16 = Tolerance(
    5e-2, 5e-2, "some layers, whose operands are rounded to 8 bits")
HALF = Tolerance(
    1e-2, 1e-2,
    "float16 has 11 bits, and is rounded at other places than in the expected "
    "float32 computation")
HALF_ROUNDING = Tolerance(
    1e-3, 1e-5,
    "one rounding to float16, where a tie may go either way")
BFLOAT16_ROUNDING = Tolerance(
    2 ** -7, 1e-4,
    "one rounding to the 8 bits of bfloat16; the machine's dot product may "
    "flush what is tiny")
BFLOAT16_WINOGRAD = Tolerance(
    2 ** -6, 0.06,
    "the transforms of Winograd's algorithm multiply what bfloat16 rounds: a "
    "hundredth of what the results vary by, and more where it is the largest of "
    "many errors")

# For check --snr.
HALF_NETWORK = Ratio(
    40, "float16 rounds every layer's result, where the producer of the data "
    "computed in float32")
DYNAMICALLY_QUANTIZED_NETWORK = Ratio(
    25, "the scales of 8 bits follow from results: one that is rounded the other "
    "way moves the scale of all that comes after it")
FOUR_BIT_NETWORK = Ratio(
    60, "weights of 4 bits times scales make sums that cancel, over dozens of "
    "layers")
