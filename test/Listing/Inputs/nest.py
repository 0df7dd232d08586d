# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a listing with bodies in bodies, as many as the argument says."""

import sys

depth = int(sys.argv[1])
print("""function net  ; m, level graph
declare {
  ; size = 0 bytes
  ; constants 0, placeholders 0, activations 0 (largest live set 0)
}
code {""")
for number in range(depth):
    print(f"  {number} loop {{")
print("  }\n" * depth + "}")
