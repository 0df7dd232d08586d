//===- Map.td - Values by keys -----------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime op family: maps. Operands are borrowed; the block owns each result. Any
// op ends the run where there is no memory.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_MAP_TD
#define NACRE_DIALECT_RUNTIME_IR_MAP_TD

include "nacre/Dialect/Runtime/IR/RuntimeOpBase.td"

def RT_MapZipOp : RT_ValueOp<"map_zip",
    (ins RT_Value:$labels, RT_Value:$scores)> {
  let summary = "A map for each row of a matrix";
  let description = [{
    A sequence of maps from `labels`, a vector of `i64` or strings, to the numbers
    of a row of `scores`; a vector is one row. The maps become owners of `labels`.
    Error: there are more or fewer labels than columns.

    Example:
    ```mlir
    %0 = rt.map_zip %labels, %scores
    ```
  }];
}

def RT_MapGetOp : RT_ValueOp<"map_get", (ins RT_Value:$map, RT_Value:$keys)> {
  let summary = "What a map has for keys";
  let description = [{
    A sequence of two rows: the values for `keys`, a vector of the map's type of
    keys, with 0 or an empty string where there is none, and whether there is one.

    Example:
    ```mlir
    %0 = rt.map_get %map, %keys
    ```
  }];
}

def RT_MapSortedValuesOp : RT_ValueOp<"map_sorted_values",
    (ins RT_Value:$map)> {
  let summary = "The values of a map, in the order of its keys";
  let description = [{
    A tensor of one row.

    Example:
    ```mlir
    %0 = rt.map_sorted_values %map
    ```
  }];
}

#endif // NACRE_DIALECT_RUNTIME_IR_MAP_TD
