# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes two test sets of commands.test's model into the folder that is
given."""

import pathlib
import sys

import numpy as np
from onnx import numpy_helper

for number in range(2):
    folder = pathlib.Path(sys.argv[1], f"test_data_set_{number}")
    folder.mkdir(parents=True)
    x = np.random.default_rng(number).random((8, 64), np.float32)
    weights = np.full((64, 32), 0.5, np.float32)
    for name, value in (("input", x), ("output", x @ weights)):
        tensor = numpy_helper.from_array(value, {"input": "x",
                                                 "output": "y"}[name])
        (folder / f"{name}_0.pb").write_bytes(tensor.SerializeToString())
