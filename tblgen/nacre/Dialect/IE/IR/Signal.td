//===- Signal.td - Spectra of signals ----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: spectra of signals.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SIGNAL_TD
#define NACRE_DIALECT_IE_IR_SIGNAL_TD

include "nacre/Dialect/IE/IR/IEBase.td"

// A scalar; models of some exporters have one dimension of 1.
def IE_LengthTensor : TensorRankOf<[I32, I64], [0, 1]>;
def IE_IntegerScalar : TensorRankOf<[IE_AnyInteger], [0, 1]>;
def IE_FloatScalar : TensorRankOf<[IE_AnyFloat], [0, 1]>;

def IE_DFTOp : IE_OnnxOp<"DFT", [IE_OwnSizes, IE_ComputesFloats,
                                 AttrSizedOperandSegments]> {
  let summary = "Discrete Fourier transform along an axis";
  let description = [{
    The last dimension holds real and imaginary part, or the real part only in
    the operand: it is 1 or 2 there and 2 in the result. `dft_length`, by
    default the axis' size, is that of the transform: the signal is cut or
    continued with zeros. `onesided` = 1 leaves out the second half of the
    result, the mirror image of the first, for a real signal. `inverse` = 1
    changes the sign of the angle and divides by the length.

    Example:
    ```mlir
    %1 = IE.DFT(%0) axis(%axis : tensor<i64>)
        : (tensor<1x16x1xf32>) -> tensor<1x16x2xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__DFT.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    Optional<IE_LengthTensor>:$dft_length,
    Optional<IE_LengthTensor>:$axis,
    DefaultValuedAttr<I64Attr, "0">:$inverse,
    DefaultValuedAttr<I64Attr, "0">:$onesided
  );
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = [{
    `(` $input `)` (`length` `(` $dft_length^ `:` type($dft_length) `)`)?
    (`axis` `(` $axis^ `:` type($axis) `)`)?
    attr-dict `:` `(` type($input) `)` `->` type($output)
  }];
  let hasVerifier = 1;
}

def IE_STFTOp : IE_OnnxOp<"STFT", [IE_OwnSizes, IE_ComputesFloats,
                                   AttrSizedOperandSegments]> {
  let summary = "Fourier transforms of the frames of a signal";
  let description = [{
    | operand | shape                                       |
    |---------|---------------------------------------------|
    | signal  | (batch, length, 1 or 2)                     |
    | window  | (frame_length)                              |
    | output  | (batch, frames, frame_length or its half, 2)|

    Frames of `frame_length` elements, `frame_step` apart, are multiplied by the
    window and transformed. At least one of `window` and `frame_length` says how
    long a frame is. `onesided` = 1 leaves out what mirrors the first half, as
    in `IE.DFT`.

    Example:
    ```mlir
    %1 = IE.STFT(%0, %step) window(%w : tensor<16xf32>)
        : (tensor<1x128x1xf32>, tensor<i64>) -> tensor<1x15x9x2xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__STFT.html
  }];
  let arguments = (ins
    IE_FloatTensor:$signal,
    IE_LengthTensor:$frame_step,
    Optional<IE_FloatTensor>:$window,
    Optional<IE_LengthTensor>:$frame_length,
    DefaultValuedAttr<I64Attr, "1">:$onesided
  );
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = [{
    `(` $signal `,` $frame_step `)` (`window` `(` $window^ `:` type($window) `)`)?
    (`length` `(` $frame_length^ `:` type($frame_length) `)`)?
    attr-dict `:` `(` type($signal) `,` type($frame_step) `)`
    `->` type($output)
  }];
  let hasVerifier = 1;
}

def IE_MelWeightMatrixOp : IE_OnnxOp<"MelWeightMatrix", [IE_OwnSizes]> {
  let summary = "Triangular filters, equally wide on the mel scale";
  let description = [{
    The result, of the shape (dft_length / 2 + 1, num_mel_bins), turns a
    spectrum of linear frequencies into one of the mel scale: column i rises
    from 0 at mel frequency i to 1 at i + 1 and falls to 0 at i + 2. Operands
    that are not constant leave the shape to the declared type.

    Example:
    ```mlir
    %5 = IE.MelWeightMatrix(%bins, %length, %rate, %low, %high)
        : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>)
        -> tensor<9x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__MelWeightMatrix.html
  }];
  let arguments = (ins
    IE_IntegerScalar:$num_mel_bins,
    IE_IntegerScalar:$dft_length,
    IE_IntegerScalar:$sample_rate,
    IE_FloatScalar:$lower_edge_hertz,
    IE_FloatScalar:$upper_edge_hertz,
    OptionalAttr<TypeAttrOf<IE_AnyNumber>>:$output_datatype
  );
  let results = (outs 2DTensorOf<[IE_AnyNumber]>:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

#endif // NACRE_DIALECT_IE_IR_SIGNAL_TD
