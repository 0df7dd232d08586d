//===- Shape.td - Changes of shape that move no element ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: changes of shape that move no element, and the operators
// that read a shape. Where a shape or axes operand is not a constant, a static
// declared result type is taken at its word: the model states it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SHAPE_TD
#define NACRE_DIALECT_IE_IR_SHAPE_TD

include "nacre/Dialect/IE/IR/IEBase.td"

// Base of the ops whose result holds the operand's elements in the same order
// under another shape.
class IE_ReshapeLikeOp<string mnemonic, list<Trait> traits = []>
    : IE_OnnxOp<mnemonic,
                !listconcat(traits, [
                    IE_OwnSizes, IE_KeepsElements, IE_RearrangesFloats,
                    IE_CarriesIntegers, IE_Homogeneous,
                    IE_ComputesSamples<
                        "::nacre::IE::keepsSamples(getOperation())">])> {
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def IE_ReshapeOp : IE_ReshapeLikeOp<"Reshape"> {
  let summary = "The same elements under another shape";
  let description = [{
    In `shape`, -1 (at most once) stands for the size that the other dimensions
    leave, and 0 copies the operand's dimension unless `allowzero` is set.

    Example:
    ```mlir
    %1 = IE.Reshape %0, %shape : tensor<1x64x1x1xf32>, tensor<2xi64>
        -> tensor<1x64xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Reshape.html
  }];
  let arguments = (ins
    IE_Tensor:$data,
    1DTensorOf<[I64]>:$shape,
    DefaultValuedAttr<I64Attr, "0">:$allowzero
  );
  let results = (outs IE_Tensor:$reshaped);
  let assemblyFormat = [{
    $data `,` $shape attr-dict `:` type($data) `,` type($shape)
    `->` type($reshaped)
  }];
  let builders = [
    // To a static type; materialises the constant shape operand.
    OpBuilder<(ins "::mlir::RankedTensorType":$type, "::mlir::Value":$data)>
  ];
}

def IE_FlattenOp : IE_ReshapeLikeOp<"Flatten"> {
  let summary = "The operand as a matrix";
  let description = [{
    The dimensions before `axis` become the rows, the others the columns.

    Example:
    ```mlir
    %1 = IE.Flatten %0 {axis = 2 : i64} : tensor<2x3x4xf32> -> tensor<6x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Flatten.html
  }];
  let arguments = (ins IE_Tensor:$input, DefaultValuedAttr<I64Attr, "1">:$axis);
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def IE_SqueezeOp : IE_ReshapeLikeOp<"Squeeze"> {
  let summary = "Drops dimensions of size 1";
  let description = [{
    Without `axes`, every dimension of size 1 is dropped.

    Example:
    ```mlir
    %1 = IE.Squeeze %0 axes(%axes : tensor<1xi64>)
        : tensor<1x8x1xf32> -> tensor<8x1xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Squeeze.html
  }];
  let arguments = (ins IE_Tensor:$data, Optional<1DTensorOf<[I64]>>:$axes);
  let results = (outs IE_Tensor:$squeezed);
  let assemblyFormat = [{
    $data (`axes` `(` $axes^ `:` type($axes) `)`)? attr-dict
    `:` type($data) `->` type($squeezed)
  }];
}

def IE_UnsqueezeOp : IE_ReshapeLikeOp<"Unsqueeze"> {
  let summary = "Inserts dimensions of size 1";
  let description = [{
    `axes` are positions in the result.

    Example:
    ```mlir
    %1 = IE.Unsqueeze %0, %axes : tensor<8xf32>, tensor<2xi64>
        -> tensor<1x8x1xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Unsqueeze.html
  }];
  let arguments = (ins IE_Tensor:$data, TensorRankOf<[I64], [0, 1]>:$axes);
  let results = (outs IE_Tensor:$expanded);
  let assemblyFormat = [{
    $data `,` $axes attr-dict `:` type($data) `,` type($axes)
    `->` type($expanded)
  }];
}

def IE_ShapeOp : IE_OnnxOp<"Shape", [IE_OwnSizes, IE_ReadsFloats]> {
  let summary = "The dimensions of the operand";
  let description = [{
    Yields dimensions [`start`, `end`); negative positions count from the rank,
    positions outside it are clamped.

    Example:
    ```mlir
    %1 = IE.Shape %0 {start = 1 : i64} : tensor<2x?x4xf32> -> tensor<2xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Shape.html
  }];
  let arguments = (ins
    IE_Tensor:$data,
    DefaultValuedAttr<I64Attr, "0">:$start,
    OptionalAttr<I64Attr>:$end
  );
  let results = (outs 1DTensorOf<[I64]>:$shape);
  let assemblyFormat = "$data attr-dict `:` type($data) `->` type($shape)";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The first position and the number of positions, clamped to the rank.
    static std::pair<int64_t, int64_t>
    getBounds(int64_t rank, int64_t start, std::optional<int64_t> end);
    std::pair<int64_t, int64_t> getBounds();
  }];
}

def IE_SizeOp : IE_OnnxOp<"Size", [IE_OwnSizes, IE_ReadsFloats]> {
  let summary = "The number of elements of the operand";
  let description = [{
    Example:
    ```mlir
    %1 = IE.Size %0 : tensor<2x3xf32> -> tensor<i64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Size.html
  }];
  let arguments = (ins IE_Tensor:$data);
  let results = (outs 0DTensorOf<[I64]>:$size);
  let assemblyFormat = "$data attr-dict `:` type($data) `->` type($size)";
  let hasFolder = 1;
}

#endif // NACRE_DIALECT_IE_IR_SHAPE_TD
