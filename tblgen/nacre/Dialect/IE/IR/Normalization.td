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
    : IE_OnnxOp<mnemonic, !listconcat(traits, [IE_SizesOfFirst,
                                               IE_ComputesFloats])> {
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_BatchNormalizationOp : IE_FormattedOp<"BatchNormalization",
                                             [IE_SampleWise<>]> {
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

def IE_InstanceNormalizationOp
    : IE_FormattedOp<"InstanceNormalization", [IE_SampleWise</*isHeavy=*/1>]> {
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

// Passes on the graph want the op whole; ie-decompose takes it apart later.
def IE_WholeInGraph : IE_Trait<"WholeInGraph">;

def IE_LayerNormalizationOp : IE_OnnxOp<"LayerNormalization",
    [IE_OwnSizes, IE_WholeInGraph, SameOperandsElementType, IE_ComputesFloats,
     IE_ComputesSamples<"getFirstDim() > 0 && "
                        "::nacre::IE::isOnlyFirstBatched(getOperation())">,
     DeclareOpInterfaceMethods<IE_SamplePlacesOpInterface>]> {
  let summary = "Normalisation over trailing dimensions, scaled and shifted";
  let description = [{
    Over the dimensions from `axis` on, together:

    - `mean = ReduceMean(x)`
    - `inv_std_dev = 1 / sqrt(ReduceMean((x - mean)^2) + epsilon)`
    - `output = (x - mean) * inv_std_dev * scale + bias`

    The statistics keep the dimensions that they are taken over, with one element.
    They are computed, and given, in f32 where `stash_type` is 1, else in the input's
    type; those of f64 always in f64. `scale` and `bias` broadcast to the input, which
    they must not make larger.

    ONNX defines the operator by a function whose variance, the mean of squares less
    the square of the mean, has no digits left where the mean is large. The variance
    here is that of differences from the mean.

    Quantisation, exporters and readers of a graph want the op whole; `ie-decompose`
    expresses it by reductions and arithmetic once the architecture is known.

    Example:
    ```mlir
    %y, %mean, %inv = IE.LayerNormalization(%x, %scale, %bias)
        {epsilon = 1.000000e-12 : f32}
        : (tensor<?x16x64xf32>, tensor<64xf32>, tensor<64xf32>)
        -> (tensor<?x16x64xf32>, tensor<?x16x1xf32>, tensor<?x16x1xf32>)
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__LayerNormalization.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input, IE_FloatTensor:$scale,
    Optional<IE_FloatTensor>:$bias,
    DefaultValuedAttr<I64Attr, "-1">:$axis,
    DefaultValuedAttr<F32Attr, "1.0e-05f">:$epsilon,
    DefaultValuedAttr<I64Attr, "1">:$stash_type
  );
  let results = (outs
    IE_FloatTensor:$output, IE_FloatTensor:$mean, IE_FloatTensor:$inv_std_dev);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The first of the dimensions that statistics are taken over.
    int64_t getFirstDim();
  }];
}

def IE_LRNOp : IE_FormattedOp<"LRN", [IE_SampleWise</*isHeavy=*/1>]> {
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
    : IE_FormattedOp<mnemonic, [
          IE_ComputesSamples<"::nacre::IE::isInnerAxis(getAxis(), getInput())">,
          IE_SamplesBeside<"getAxis()">]> {
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
