# ===- __init__.py - Where ONNX Runtime has its exceptions -----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For programs that name ONNX Runtime's modules."""

from nacre.capi import onnxruntime_pybind11_state

__all__ = ["onnxruntime_pybind11_state"]
