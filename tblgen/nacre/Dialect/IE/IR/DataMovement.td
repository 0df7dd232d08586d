//===- DataMovement.td - Reordering and copying of elements -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: reordering and copying of elements. Bounds come as
// operands; when they are constants inference computes the result's shape, else
// a static declared result type is taken at its word.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_DATAMOVEMENT_TD
#define NACRE_DIALECT_IE_IR_DATAMOVEMENT_TD

include "nacre/Dialect/IE/IR/IEBase.td"

// Bounds of slices and pads.
def IE_IndexVector : 1DTensorOf<[I32, I64]>;
def IE_I64Vector : 1DTensorOf<[I64]>;

def IE_TransposeOp : IE_OnnxOp<"Transpose", [
    IE_OwnSizes,
    IE_RearrangesFloats,
    IE_CarriesIntegers,
    IE_ComputesSamples<"getPermutation().front() == 0">,
    DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>,
    IE_Homogeneous]> {
  let summary = "Permutes the dimensions";
  let description = [{
    Dimension i of the result is dimension `perm[i]` of the operand. Without
    `perm` the order is reversed.

    Example:
    ```mlir
    %1 = IE.Transpose %0 {perm = array<i64: 0, 2, 1>}
        : tensor<2x3x4xf32> -> tensor<2x4x3xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Transpose.html
  }];
  let arguments = (ins IE_Tensor:$data, OptionalAttr<DenseI64ArrayAttr>:$perm);
  let results = (outs IE_Tensor:$transposed);
  let assemblyFormat = "$data attr-dict `:` type($data) `->` type($transposed)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// `perm`, or the reversed order that its absence stands for.
    ::llvm::SmallVector<int64_t> getPermutation();
  }];
}

def IE_ConcatOp : IE_OnnxOp<"Concat", [
    IE_OwnSizes,
    IE_MovesFloats,
    IE_ComputesSamples<
        "::nacre::IE::isInnerAxis(getAxis(), getConcatResult()) && "
        "::llvm::all_of(getInputs().getTypes(), ::nacre::IE::getBatchType)">,
    DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>]> {
  let summary = "Joins tensors along an axis";
  let description = [{
    Example:
    ```mlir
    %2 = IE.Concat %0, %1 {axis = 1 : i64}
        : tensor<1x8x4xf32>, tensor<1x2x4xf32> -> tensor<1x10x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Concat.html
  }];
  let arguments = (ins Variadic<IE_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs IE_Tensor:$concat_result);
  let assemblyFormat =
      "$inputs attr-dict `:` type($inputs) `->` type($concat_result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def IE_SplitOp : IE_OnnxOp<"Split", [
    IE_OwnSizes,
    IE_MovesFloats,
    IE_ComputesSamples<"::nacre::IE::isInnerAxis(getAxis(), getInput()) && "
                       "::nacre::IE::isOnlyFirstBatched(getOperation())">,
    IE_SamplesBeside<"getAxis()">]> {
  let summary = "Cuts a tensor into parts along an axis";
  let description = [{
    The parts' sizes are `split`, or equal parts of which the last may be
    smaller. `num_outputs` states the number of results, which has to be
    inferable; it may accompany `split`.

    Example:
    ```mlir
    %1:2 = IE.Split %0 {axis = 1 : i64, num_outputs = 2 : i64}
        : tensor<1x6xf32> -> tensor<1x3xf32>, tensor<1x3xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Split.html
  }];
  let arguments = (ins
    IE_Tensor:$input,
    Optional<IE_I64Vector>:$split,
    DefaultValuedAttr<I64Attr, "0">:$axis,
    OptionalAttr<I64Attr>:$num_outputs
  );
  let results = (outs Variadic<IE_Tensor>:$outputs);
  let assemblyFormat = [{
    $input (`split` `(` $split^ `:` type($split) `)`)? attr-dict
    `:` type($input) `->` type($outputs)
  }];
  let hasFolder = 1;
}

def IE_SliceOp : IE_OnnxOp<"Slice", [
    IE_OwnSizes,
    IE_MovesFloats,
    IE_CarriesIntegers,
    DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>,
    AttrSizedOperandSegments]> {
  let summary = "A strided section of a tensor";
  let description = [{
    Bounds follow NumPy: negative ones count from the end, all are clamped,
    `ends` is exclusive, `steps` may be negative.

    Example:
    ```mlir
    %1 = IE.Slice %0, %starts, %ends axes(%axes : tensor<1xi64>)
        : tensor<8x8xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<8x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Slice.html
  }];
  let arguments = (ins
    IE_Tensor:$data,
    IE_IndexVector:$starts,
    IE_IndexVector:$ends,
    Optional<IE_IndexVector>:$axes,
    Optional<IE_IndexVector>:$steps
  );
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $data `,` $starts `,` $ends
    (`axes` `(` $axes^ `:` type($axes) `)`)?
    (`steps` `(` $steps^ `:` type($steps) `)`)?
    attr-dict `:` type($data) `,` type($starts) `,` type($ends)
    `->` type($output)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The section when the operand's shape is static and every bound is a
    /// constant.
    std::optional<::nacre::IE::SliceSpec> getStaticSpec();
    /// The section where its bounds may be dynamic.
    ::nacre::IE::Sections getSections(SizeBuilder &sizes);
  }];
}

def IE_PadOp : IE_OnnxOp<"Pad", [
    IE_OwnSizes,
    IE_MovesFloats,
    DeclareOpInterfaceMethods<IE_SamplesOpInterface>,
    DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>,
    AttrSizedOperandSegments]> {
  let summary = "Adds elements before and after each dimension";
  let description = [{
    `pads` lists the amounts before each of `axes` (default: all), then those
    after; negative amounts remove elements. The `mode` says what the new
    elements hold: `constant_value` (default 0), or elements of the operand
    mirrored at its edge, repeated from its edge, or wrapped around.

    Example:
    ```mlir
    %1 = IE.Pad %0, %pads {mode = "edge"}
        : tensor<2x3xf32>, tensor<4xi64> -> tensor<4x5xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Pad.html
  }];
  let arguments = (ins
    IE_Tensor:$data,
    IE_I64Vector:$pads,
    Optional<TensorRankOf<[IE_AnyElement], [0, 1]>>:$constant_value,
    Optional<IE_IndexVector>:$axes,
    DefaultValuedAttr<IE_StringAttrOf<["constant", "reflect", "edge", "wrap"]>,
                      "\"constant\"">:$mode
  );
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $data `,` $pads
    (`value` `(` $constant_value^ `:` type($constant_value) `)`)?
    (`axes` `(` $axes^ `:` type($axes) `)`)?
    attr-dict
    `:` type($data) `,` type($pads) `->` type($output)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The amounts before and after every dimension when `pads` and `axes` are
    /// constants.
    std::optional<::nacre::IE::PadSpec> getStaticSpec();
    /// The same where they may be dynamic.
    ::nacre::IE::PadAmounts getAmounts(SizeBuilder &sizes);
  }];
}

def IE_ExpandOp : IE_OnnxOp<"Expand", [IE_OwnSizes, IE_MovesFloats]> {
  let summary = "Broadcasts a tensor to a shape";
  let description = [{
    The result's shape is the multidirectional broadcast of the operand's shape
    and `shape`, so it may differ from `shape` where that holds a 1.

    Example:
    ```mlir
    %1 = IE.Expand %0, %shape : tensor<3x1xf32>, tensor<2xi64>
        -> tensor<3x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Expand.html
  }];
  let arguments = (ins IE_Tensor:$input, IE_I64Vector:$shape);
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $input `,` $shape attr-dict `:` type($input) `,` type($shape)
    `->` type($output)
  }];
  let hasFolder = 1;
}

def IE_TileOp : IE_OnnxOp<"Tile", [
    IE_OwnSizes,
    IE_MovesFloats,
    DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>]> {
  let summary = "Repeats a tensor along each dimension";
  let description = [{
    Example:
    ```mlir
    %1 = IE.Tile %0, %repeats : tensor<2x3xf32>, tensor<2xi64>
        -> tensor<4x9xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Tile.html
  }];
  let arguments = (ins IE_Tensor:$input, IE_I64Vector:$repeats);
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $input `,` $repeats attr-dict `:` type($input) `,` type($repeats)
    `->` type($output)
  }];
  let hasFolder = 1;
}

def IE_DepthToSpaceOp : IE_OnnxOp<"DepthToSpace", [
    IE_OwnSizes,
    IE_RearrangesFloats,
    IE_SampleWise</*isHeavy=*/1>]> {
  let summary = "Moves blocks of channels into the image";
  let description = [{
    The depth is read as (block row, block column, channel) in mode `DCR`, as
    (channel, block row, block column) in mode `CRD`.

    Example:
    ```mlir
    %1 = IE.DepthToSpace %0 {blocksize = 2 : i64, mode = "CRD"}
        : tensor<1x8x2x3xf32> -> tensor<1x2x4x6xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__DepthToSpace.html
  }];
  let arguments = (ins
    4DTensorOf<[IE_AnyElement]>:$input,
    ConfinedAttr<I64Attr, [IntPositive]>:$blocksize,
    DefaultValuedAttr<IE_StringAttrOf<["DCR", "CRD"]>, "\"DCR\"">:$mode
  );
  let results = (outs 4DTensorOf<[IE_AnyElement]>:$output);
  let assemblyFormat = [{
    $input attr-dict `:` type($input) `->` type($output)
  }];
}

def IE_SpaceToDepthOp : IE_OnnxOp<"SpaceToDepth", [
    IE_OwnSizes,
    IE_RearrangesFloats,
    IE_SampleWise</*isHeavy=*/1>]> {
  let summary = "Moves blocks of the image into channels";
  let description = [{
    Example:
    ```mlir
    %1 = IE.SpaceToDepth %0 {blocksize = 2 : i64}
        : tensor<1x2x4x6xf32> -> tensor<1x8x2x3xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__SpaceToDepth.html
  }];
  let arguments = (ins
    4DTensorOf<[IE_AnyElement]>:$input,
    ConfinedAttr<I64Attr, [IntPositive]>:$blocksize
  );
  let results = (outs 4DTensorOf<[IE_AnyElement]>:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def IE_TriluOp : IE_OnnxOp<"Trilu", [IE_SizesOfFirst, IE_MovesFloats]> {
  let summary = "The upper or lower triangle of matrices";
  let description = [{
    Keeps the elements on and above (`upper` = 1) or below (`upper` = 0) the
    `k`-th diagonal of the two last dimensions; the others become 0.

    Example:
    ```mlir
    %1 = IE.Trilu %0 k(%k : tensor<i64>) {upper = 0 : i64}
        : tensor<2x4x5xf32> -> tensor<2x4x5xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Trilu.html
  }];
  let arguments = (ins
    IE_Tensor:$input,
    Optional<TensorRankOf<[I64], [0, 1]>>:$k,
    DefaultValuedAttr<I64Attr, "1">:$upper
  );
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $input (`k` `(` $k^ `:` type($k) `)`)? attr-dict
    `:` type($input) `->` type($output)
  }];
}

def IE_ReverseSequenceOp : IE_OnnxOp<"ReverseSequence", [IE_SizesOfFirst,
                                                     IE_RearrangesFloats]> {
  let summary = "Reverses the beginning of each sequence of a batch";
  let description = [{
    For batch entry b, the first `sequence_lens[b]` positions along `time_axis`
    are reversed, the rest is kept.

    Example:
    ```mlir
    %1 = IE.ReverseSequence %0, %lens {batch_axis = 1 : i64, time_axis = 0 : i64}
        : tensor<4x2xf32>, tensor<2xi64> -> tensor<4x2xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__ReverseSequence.html
  }];
  let arguments = (ins
    IE_Tensor:$input,
    IE_I64Vector:$sequence_lens,
    DefaultValuedAttr<I64Attr, "1">:$batch_axis,
    DefaultValuedAttr<I64Attr, "0">:$time_axis
  );
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $input `,` $sequence_lens attr-dict `:` type($input) `,`
    type($sequence_lens) `->` type($output)
  }];
}

def IE_CompressOp : IE_OnnxOp<"Compress", [IE_MovesFloats]> {
  let summary = "The slices along an axis where a condition holds";
  let description = [{
    `condition` may be shorter than the axis; what it does not cover is left
    out. Without `axis` the operand is flattened first. The size along the axis
    follows from a constant condition, else from the declared type.

    Example:
    ```mlir
    %2 = IE.Compress %0, %1 {axis = 0 : i64}
        : tensor<3x2xf32>, tensor<3xi1> -> tensor<2x2xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Compress.html
  }];
  let arguments = (ins
    IE_Tensor:$input,
    1DTensorOf<[I1]>:$condition,
    OptionalAttr<I64Attr>:$axis
  );
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $input `,` $condition attr-dict `:` type($input) `,` type($condition)
    `->` type($output)
  }];
}

#endif // NACRE_DIALECT_IE_IR_DATAMOVEMENT_TD
