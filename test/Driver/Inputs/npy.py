#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes and prints NumPy files for the driver's tests.

usage: npy.py write FILE DTYPE SHAPE VALUE...   SHAPE as 1x4
       npy.py print FILE...
"""

import sys

import numpy

if sys.argv[1] == "write":
    path, dtype, shape = sys.argv[2:5]
    values = numpy.array([float(v) for v in sys.argv[5:]])
    dims = [int(d) for d in shape.split("x")]
    numpy.save(path, values.astype(dtype).reshape(dims))
else:
    for path in sys.argv[2:]:
        array = numpy.load(path)
        print(array.dtype.name, list(array.shape), array.ravel().tolist())
