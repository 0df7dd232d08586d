//===- Quantization.td - Linear quantization ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: linear quantization.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_QUANTIZATION_TD
#define NACRE_DIALECT_IE_IR_QUANTIZATION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_QuantizedTensor
    : RankedTensorOf<[I8, UI8, I<16>, UI<16>, I32]>;

// What both directions share: a scale and a zero point for the whole tensor
// (single elements) or for each index of one dimension (1-D).
class IE_QuantizationOp<string mnemonic, Type to>
    : IE_OnnxOp<mnemonic, [IE_SizesOfFirst, IE_ComputesFloats]> {
  let results = (outs to:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, $output)
  }];
  let hasVerifier = 1;
  string baseDeclarations = [{
    /// The shape in which scale and zero point broadcast to the input's; of
    /// blocks, that in which each stands for so many elements.
    ::llvm::SmallVector<int64_t> getParameterShape();
  }];
  let extraClassDeclaration = baseDeclarations;
}

def IE_QuantizeLinearOp
    : IE_QuantizationOp<"QuantizeLinear", IE_QuantizedTensor> {
  let summary = "Floats as integers of a scale and a zero point";
  let description = [{
    `y = saturate(round(x / scale) + zero_point)`, rounding half to even. The
    result has the zero point's type, uint8 without one. `scale` and `zero_point`
    have one element or, along dimension `axis`, one for each index.

    Example:
    ```mlir
    %1 = IE.QuantizeLinear(%0, %scale, %zero)
        : (tensor<1x8x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x8x4x4xui8>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    IE_FloatTensor:$scale,
    Optional<IE_QuantizedTensor>:$zero_point,
    DefaultValuedAttr<I64Attr, "1">:$axis,
    DefaultValuedAttr<I64Attr, "1">:$saturate
  );
}

def IE_DequantizeLinearOp
    : IE_QuantizationOp<"DequantizeLinear", IE_FloatTensor> {
  let summary = "Integers of a scale and a zero point as floats";
  let description = [{
    `y = (x - zero_point) * scale`, in the scale's type. `scale` and `zero_point`
    have one element or, along dimension `axis`, one for each index. With a
    `block_size` they have the input's rank, and one element for each block of so
    many indices of dimension `axis`, the last of which may be shorter.

    Weights of few bits are stored so. `ie-fuse-quantization` multiplies by them as
    they are where it can.

    Example:
    ```mlir
    %1 = IE.DequantizeLinear(%0, %scale, %zero)
        : (tensor<1x8x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x8x4x4xf32>
    %3 = IE.DequantizeLinear(%2, %scales) {axis = 0 : i64, block_size = 32 : i64}
        : (tensor<64x10xi8>, tensor<2x10xf32>) -> tensor<64x10xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html
  }];
  let arguments = (ins
    IE_QuantizedTensor:$input,
    IE_FloatTensor:$scale,
    Optional<IE_QuantizedTensor>:$zero_point,
    DefaultValuedAttr<I64Attr, "1">:$axis,
    DefaultValuedAttr<I64Attr, "0">:$block_size
  );
  let extraClassDeclaration = baseDeclarations # [{
    /// True where scale and zero point belong to blocks.
    bool isBlocked() { return getBlockSize() != 0; }
    /// The dimension that `axis` names.
    int64_t getDim();
  }];
}

def IE_DynamicQuantizeLinearOp
    : IE_OnnxOp<"DynamicQuantizeLinear", [IE_OwnSizes, IE_ComputesFloats]> {
  let summary = "Floats as bytes by the range that they have";
  let description = [{
    Quantizes to uint8 by the least and the largest element, or 0 where that is
    beyond them, and gives the scale and zero point, too:

    - `scale = (max - min) / 255`
    - `zero_point = round(clip(-min / scale, 0, 255))`
    - `output = QuantizeLinear(input, scale, zero_point)`

    The pass `ie-decompose` expresses it by these.

    Example:
    ```mlir
    %y, %scale, %zero = IE.DynamicQuantizeLinear(%x)
        : (tensor<?x64xf32>) -> (tensor<?x64xui8>, tensor<f32>, tensor<ui8>)
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__DynamicQuantizeLinear.html
  }];
  let arguments = (ins IE_FloatTensor:$input);
  let results = (outs
    RankedTensorOf<[UI8]>:$output,
    IE_FloatTensor:$scale,
    RankedTensorOf<[UI8]>:$zero_point
  );
  let assemblyFormat = [{
    `(` $input `)` attr-dict `:` functional-type(operands, results)
  }];
}

#endif // NACRE_DIALECT_IE_IR_QUANTIZATION_TD
