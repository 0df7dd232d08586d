#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes an image for a program without a file system, and reads what it prints.

usage: values.py image FILE.npy FILE.txt   writes both, of 64 random numbers
       values.py compare FILE.npy FILE     FILE has the bits of the same floats
"""

import sys

import numpy

# Sums of some hundred products of about 1, in another order than the
# interpreter's, which adds them up in double precision.
TOLERANCE = 1e-5

mode, array_path, text_path = sys.argv[1:]
if mode == "image":
    image = numpy.random.default_rng(7).random((1, 1, 8, 8), numpy.float32)
    numpy.save(array_path, image)
    with open(text_path, "w", encoding="ascii") as text:
        text.write(",".join(str(byte) for byte in image.tobytes()) + "\n")
else:
    with open(text_path, encoding="ascii") as text:
        words = [int(line, 16) for line in text]
    found = numpy.array(words, numpy.uint32).view(numpy.float32)
    expected = numpy.load(array_path).ravel()
    print(f"{found.size} values, largest difference "
          f"{abs(found - expected).max():.2g}")
    numpy.testing.assert_allclose(found, expected, TOLERANCE, TOLERANCE)
    assert expected.max() - expected.min() > 100 * TOLERANCE
