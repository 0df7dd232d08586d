//===- Sorting.td - Elements by their order ----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: sorting.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SORTING_TD
#define NACRE_DIALECT_IE_IR_SORTING_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_TopKOp : IE_OnnxOp<"TopK", [
    IE_ComputesFloats,
    IE_OwnSizes,
    IE_SamplesBeside<"getAxis()">,
    AllElementTypesMatch<["input", "values"]>]> {
  let summary = "The largest or smallest elements along an axis, in order";
  let description = [{
    The `k` largest elements, or the smallest when `largest` is 0, best first,
    and their positions along `axis`. Of equal elements the one in front comes
    first; NaN counts as larger than every number. `sorted` = 0 allows any
    order, and gets this one.

    Example:
    ```mlir
    %values, %indices = IE.TopK(%0, %k) {axis = 1 : i64}
        : (tensor<3x8xf32>, tensor<1xi64>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__TopK.html
  }];
  let arguments = (ins
    IE_NumberTensor:$input,
    IE_I64Tensor:$k,
    DefaultValuedAttr<I64Attr, "-1">:$axis,
    DefaultValuedAttr<I64Attr, "1">:$largest,
    DefaultValuedAttr<I64Attr, "1">:$sorted
  );
  let results = (outs IE_NumberTensor:$values, IE_I64Tensor:$indices);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // NACRE_DIALECT_IE_IR_SORTING_TD
