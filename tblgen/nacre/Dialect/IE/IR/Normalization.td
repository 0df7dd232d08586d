//===- Normalization.td - Normalisation and softmax --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: normalisation and softmax.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_NORMALIZATION_TD
#define NACRE_DIALECT_IE_IR_NORMALIZATION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

class IE_FormattedOp<string mnemonic, list<Trait> traits = []>
    : IE_OnnxOp<mnemonic, !listconcat(traits, [IE_SizesOfFirst])> {
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_BatchNormalizationOp : IE_FormattedOp<"BatchNormalization"> {
  let summary = "Normalisation by stored statistics (inference)";
  let description = [{
    `(x - mean) / sqrt(var + epsilon) * scale + shift` per channel, the second
    dimension. In training the importer computes the statistics before.

    Example:
    ```mlir
    %5 = IE.BatchNormalization(%0, %1, %2, %3, %4)
        : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
           tensor<3xf32>) -> tensor<1x3x8x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__BatchNormalization.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input, IE_FloatTensor:$scale, IE_FloatTensor:$shift,
    IE_FloatTensor:$mean, IE_FloatTensor:$variance,
    DefaultValuedAttr<F32Attr, "1.0e-05f">:$epsilon,
    DefaultValuedAttr<F32Attr, "0.9f">:$momentum
  );
  let results = (outs IE_FloatTensor:$output);
}

def IE_InstanceNormalizationOp : IE_FormattedOp<"InstanceNormalization"> {
  let summary = "Normalisation of each channel of each instance";
  let description = [{
    `scale * (x - mean) / sqrt(variance + epsilon) + shift`, mean and variance
    taken over the spatial dimensions.

    Example:
    ```mlir
    %3 = IE.InstanceNormalization(%0, %1, %2)
        : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>)
        -> tensor<1x3x8x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__InstanceNormalization.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input, IE_FloatTensor:$scale, IE_FloatTensor:$shift,
    DefaultValuedAttr<F32Attr, "1.0e-05f">:$epsilon
  );
  let results = (outs IE_FloatTensor:$output);
}

def IE_LRNOp : IE_FormattedOp<"LRN"> {
  let summary = "Local response normalisation across channels";
  let description = [{
    `x / (bias + alpha / size * sum)^beta`, where `sum` adds the squares of the
    `size` channels around, as far as they exist.

    Example:
    ```mlir
    %1 = IE.LRN(%0) {size = 5 : i64}
        : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__LRN.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "0.0001f">:$alpha,
    DefaultValuedAttr<F32Attr, "0.75f">:$beta,
    DefaultValuedAttr<F32Attr, "1.0f">:$bias,
    I64Attr:$size
  );
  let results = (outs IE_FloatTensor:$output);
  let hasVerifier = 1;
}

class IE_AxisNormalizationOp<string mnemonic, string text, string details>
    : IE_FormattedOp<mnemonic> {
  let summary = text;
  let description = IE_OpDoc<mnemonic, details, "%1 = IE." # mnemonic #
      "(%0) : (tensor<2x8xf32>) -> tensor<2x8xf32>">.text;
  let arguments = (ins
    IE_FloatTensor:$input, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs IE_FloatTensor:$output);
}

def IE_SoftmaxOp : IE_AxisNormalizationOp<"Softmax",
    "exp(x) / sum(exp(x)) along one axis",
    "Computed on x - max(x), which changes nothing but overflow.">;
def IE_LogSoftmaxOp : IE_AxisNormalizationOp<"LogSoftmax",
    "log(exp(x) / sum(exp(x))) along one axis",
    "Computed as x - max(x) - log(sum(exp(x - max(x)))).">;
def IE_HardmaxOp : IE_AxisNormalizationOp<"Hardmax",
    "1 at the first largest element along one axis, 0 elsewhere", "">;

#endif // NACRE_DIALECT_IE_IR_NORMALIZATION_TD
