//===- Selection.td - Results as large as the data say -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: selection. How many elements there are is only known once
// the operands' values are.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SELECTION_TD
#define NACRE_DIALECT_IE_IR_SELECTION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_NonZeroOp : IE_OnnxOp<"NonZero", [IE_ComputesFloats]> {
  let summary = "The positions of elements other than 0";
  let description = [{
    One row per dimension of the operand, one column per element that is not 0,
    in row-major order.

    Example:
    ```mlir
    %0 = IE.NonZero(%x) : (tensor<2x3xf32>) -> tensor<2x?xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__NonZero.html
  }];
  let arguments = (ins IE_NumberOrBoolTensor:$X);
  let results = (outs IE_I64Tensor:$Y);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_UniqueOp : IE_OnnxOp<"Unique"> {
  let summary = "The distinct elements of a tensor, or its distinct slices";
  let description = [{
    Without `axis`, the elements of the flattened operand. `sorted` = 0 keeps the
    order of first appearance. The other results are, per distinct element, where
    it first appears and how often, and between them, per element of the operand,
    its number among the distinct ones.

    Example:
    ```mlir
    %y, %first, %inverse, %counts = IE.Unique(%x)
        : (tensor<6xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Unique.html
  }];
  let arguments = (ins IE_WideTensor:$X, OptionalAttr<I64Attr>:$axis,
                       DefaultValuedAttr<I64Attr, "1">:$sorted);
  let results = (outs IE_WideTensor:$Y, IE_I64Tensor:$indices,
                      IE_I64Tensor:$inverse_indices, IE_I64Tensor:$counts);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_NonMaxSuppressionOp
    : IE_OnnxOp<"NonMaxSuppression", [AttrSizedOperandSegments]> {
  let summary = "The best boxes that do not overlap better ones";
  let description = [{
    For boxes (B, N, 4) with scores (B, C, N): per batch and class, in this
    order, the boxes by descending score, of which those are left out whose score
    is not above `score_threshold`, whose intersection over union with a box
    before exceeds `iou_threshold`, or that come after
    `max_output_boxes_per_class` others; without that operand there are none. A
    row of the result holds batch, class and box. Boxes are two opposite corners
    (y1, x1, y2, x2), or, with `center_point_box`, (x, y, width, height) around
    their centre.

    Example:
    ```mlir
    %0 = IE.NonMaxSuppression(%boxes, %scores, %max)
        {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}
        : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xi64>) -> tensor<?x3xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__NonMaxSuppression.html
  }];
  let arguments = (ins
    RankedTensorOf<[F32]>:$boxes,
    RankedTensorOf<[F32]>:$scores,
    Optional<IE_I64Tensor>:$max_output_boxes_per_class,
    Optional<RankedTensorOf<[F32]>>:$iou_threshold,
    Optional<RankedTensorOf<[F32]>>:$score_threshold,
    DefaultValuedAttr<I64Attr, "0">:$center_point_box
  );
  let results = (outs IE_I64Tensor:$selected_indices);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // NACRE_DIALECT_IE_IR_SELECTION_TD
