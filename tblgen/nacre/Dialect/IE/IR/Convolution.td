//===- Convolution.td - Convolutions -----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: convolutions.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONVOLUTION_TD
#define NACRE_DIALECT_IE_IR_CONVOLUTION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_ConvOp : IE_OnnxOp<"Conv", [
    IE_OwnSizes,
    IE_ComputesFloats,
    IE_SampleWise</*isHeavy=*/1>,
    IE_ForEngines,
    DeclareOpInterfaceMethods<IE_QuantizableOpInterface>]> {
  let summary = "Convolution over one, two or three spatial dimensions";
  let description = [{
    | operand | shape                                  |
    |---------|----------------------------------------|
    | input   | (N, C, spatial…)                       |
    | weights | (M, C / group, kernel…)                |
    | bias    | (M)                                    |
    | output  | (N, M, spatial output…)                |

    `pads` lists the beginnings of all spatial dimensions, then the ends;
    `auto_pad` other than `NOTSET` replaces them.

    Example:
    ```mlir
    %2 = IE.Conv(%0, %1) {pads = array<i64: 1, 1, 1, 1>}
        : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Conv.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    IE_FloatTensor:$weights,
    Optional<IE_FloatTensor>:$bias,
    DefaultValuedAttr<IE_AutoPad, "\"NOTSET\"">:$auto_pad,
    OptionalAttr<DenseI64ArrayAttr>:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$group,
    OptionalAttr<DenseI64ArrayAttr>:$kernel_shape,
    OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$strides
  );
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// The resolved window over the input's spatial dimensions.
    ::mlir::FailureOr<Window> getWindow();
    /// The same where its sizes may be dynamic.
    SizedWindow getWindow(SizeBuilder &sizes);
  }];
}

def IE_ConvIntegerOp : IE_OnnxOp<"ConvInteger", [
    IE_OwnSizes,
    IE_ForEngines,
    AttrSizedOperandSegments]> {
  let summary = "Convolution of 8-bit integers, summed in 32 bits";
  let description = [{
    `conv(input - x_zero_point, weights - w_zero_point)`, where padding is zero
    after the subtraction. Sums wrap around.

    | operand      | shape                    |
    |--------------|--------------------------|
    | input        | (N, C, spatial…)         |
    | weights      | (M, C / group, kernel…)  |
    | x_zero_point | one element              |
    | w_zero_point | one element, or (M)      |
    | output       | (N, M, spatial output…)  |

    Example:
    ```mlir
    %2 = IE.ConvInteger(%0, %1) zero(%zero : tensor<ui8>)
        {pads = array<i64: 1, 1, 1, 1>}
        : (tensor<1x3x8x8xui8>, tensor<16x3x3x3xi8>) -> tensor<1x16x8x8xi32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__ConvInteger.html
  }];
  let arguments = (ins
    IE_ByteTensor:$input,
    IE_ByteTensor:$weights,
    Optional<IE_ByteTensor>:$x_zero_point,
    Optional<IE_ByteTensor>:$w_zero_point,
    DefaultValuedAttr<IE_AutoPad, "\"NOTSET\"">:$auto_pad,
    OptionalAttr<DenseI64ArrayAttr>:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$group,
    OptionalAttr<DenseI64ArrayAttr>:$kernel_shape,
    OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$strides
  );
  let results = (outs RankedTensorOf<[I32]>:$output);
  let assemblyFormat = [{
    `(` $input `,` $weights `)` (`zero` `(` $x_zero_point^ `:` type($x_zero_point) `)`)?
    (`weightsZero` `(` $w_zero_point^ `:` type($w_zero_point) `)`)?
    attr-dict `:` `(` type($input) `,` type($weights) `)` `->` type($output)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The resolved window over the input's spatial dimensions.
    ::mlir::FailureOr<Window> getWindow();
    /// The same where its sizes may be dynamic.
    SizedWindow getWindow(SizeBuilder &sizes);
  }];
}

def IE_QLinearConvOp : IE_OnnxOp<"QLinearConv", [
    IE_OwnSizes,
    IE_ComputesFloats]> {
  let summary = "Convolution of quantized numbers";
  let description = [{
    The convolution of the dequantized operands, quantized. The pass
    `ie-decompose` expresses it by a convolution of integers. The scale and zero
    point of `weights` are single elements or one for each output channel, the
    others single elements. `bias` has the scale `input_scale * weights_scale`
    and the zero point 0.

    Example:
    ```mlir
    %1 = IE.QLinearConv(%x, %xScale, %xZero, %w, %wScale, %wZero, %yScale, %yZero)
        {pads = array<i64: 1, 1, 1, 1>}
        : (tensor<1x3x8x8xui8>, tensor<f32>, tensor<ui8>, tensor<16x3x3x3xi8>,
           tensor<16xf32>, tensor<16xi8>, tensor<f32>, tensor<ui8>)
        -> tensor<1x16x8x8xui8>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__QLinearConv.html
  }];
  let arguments = (ins
    IE_ByteTensor:$input,
    IE_FloatTensor:$input_scale,
    IE_ByteTensor:$input_zero_point,
    IE_ByteTensor:$weights,
    IE_FloatTensor:$weights_scale,
    IE_ByteTensor:$weights_zero_point,
    IE_FloatTensor:$output_scale,
    IE_ByteTensor:$output_zero_point,
    Optional<RankedTensorOf<[I32]>>:$bias,
    DefaultValuedAttr<IE_AutoPad, "\"NOTSET\"">:$auto_pad,
    OptionalAttr<DenseI64ArrayAttr>:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$group,
    OptionalAttr<DenseI64ArrayAttr>:$kernel_shape,
    OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$strides
  );
  let results = (outs IE_ByteTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def IE_ConvTransposeOp : IE_OnnxOp<"ConvTranspose", [
    IE_OwnSizes,
    IE_ComputesFloats,
    IE_SampleWise</*isHeavy=*/1>,
    IE_ForEngines]> {
  let summary = "Transposed convolution";
  let description = [{
    The gradient of `IE.Conv` with respect to its input.

    | operand | shape                                  |
    |---------|----------------------------------------|
    | input   | (N, C, spatial…)                       |
    | weights | (C, M / group, kernel…)                |
    | bias    | (M)                                    |
    | output  | (N, M, spatial output…)                |

    `output = stride * (input - 1) + output_padding + extent - pads`. With
    `output_shape` the pads follow from that equation instead.

    Example:
    ```mlir
    %2 = IE.ConvTranspose(%0, %1) {strides = array<i64: 2, 2>}
        : (tensor<1x1x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x7x7xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__ConvTranspose.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    IE_FloatTensor:$weights,
    Optional<IE_FloatTensor>:$bias,
    DefaultValuedAttr<IE_AutoPad, "\"NOTSET\"">:$auto_pad,
    OptionalAttr<DenseI64ArrayAttr>:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$group,
    OptionalAttr<DenseI64ArrayAttr>:$kernel_shape,
    OptionalAttr<DenseI64ArrayAttr>:$output_padding,
    OptionalAttr<DenseI64ArrayAttr>:$output_shape,
    OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$strides
  );
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// The resolved window; `output` holds the result's spatial sizes.
    ::mlir::FailureOr<Window> getWindow();
    /// The same where its sizes may be dynamic.
    SizedWindow getWindow(SizeBuilder &sizes);
  }];
}

#endif // NACRE_DIALECT_IE_IR_CONVOLUTION_TD
