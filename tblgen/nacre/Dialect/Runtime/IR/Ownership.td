//===- Ownership.td - Owners of values ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime op family: owners.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_OWNERSHIP_TD
#define NACRE_DIALECT_RUNTIME_IR_OWNERSHIP_TD

include "nacre/Dialect/Runtime/IR/RuntimeOpBase.td"

def RT_KeepOp : RT_Op<"keep", (ins RT_Value:$value)> {
  let summary = "One owner more";
  let description = [{
    The value has one owner more in this run. A value that the run did not make,
    such as an input, stays as it is. No error.

    Example:
    ```mlir
    rt.keep %list
    return %list, %list : !rt.value, !rt.value
    ```
  }];
}

def RT_DropOp : RT_Op<"drop", (ins RT_Value:$value)> {
  let summary = "One owner less";
  let description = [{
    The value has one owner less in this run: the op takes its operand over. What
    nothing owns any more is freed, but for strings, which stay until the run ends,
    since its tensors may have pointers to their characters. A value that the run
    did not make stays as it is. No error.

    Example:
    ```mlir
    %n = rt.length %list
    rt.drop %list
    ```
  }];
  let extraClassDeclaration = baseDeclarations # [{
    bool takesOver(::mlir::OpOperand &) { return true; }
  }];
}

#endif // NACRE_DIALECT_RUNTIME_IR_OWNERSHIP_TD
