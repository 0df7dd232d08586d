# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds to a module of text that a pass is still to be run on it: outline-kernels."""

import sys

source, target = sys.argv[1:]
with open(source) as file:
    text = file.read()
with open(target, "w") as file:
    file.write(text + """
{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(outline-kernels)",
      disable_threading: true,
      verify_each: true
    }
  }
#-}
""")
