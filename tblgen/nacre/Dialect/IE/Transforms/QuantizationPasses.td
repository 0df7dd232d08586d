//===- QuantizationPasses.td - From f32 to integers -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that make a model compute on integers, and what repairs it first.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_QUANTIZATIONPASSES_TD
#define NACRE_DIALECT_IE_TRANSFORMS_QUANTIZATIONPASSES_TD

include "mlir/Pass/PassBase.td"

/// What users keep f32.
defvar IE_KeepOptions = [
  ListOption<"keepNodes", "keep-nodes", "std::string",
             "Patterns of the names of nodes that stay f32">,
  ListOption<"keepOps", "keep-ops", "std::string",
             "Kinds of ops that stay f32, as Gemm">,
  ListOption<"onlyOps", "only-ops", "std::string",
             "Kinds of ops that alone are quantized">,
  ListOption<"keepBetween", "keep-between", "std::string",
             "FIRST:LAST, names of values between which all stays f32">,
  Option<"keepFirst", "keep-first", "bool", /*default=*/"false",
         "Keep products f32 that come after no other one">,
  Option<"keepLast", "keep-last", "bool", /*default=*/"false",
         "Keep products f32 that come before no other one">
];

/// Which integers weights become.
defvar IE_RoundingOption =
  Option<"rounding", "rounding", "::nacre::quantization::Rounding",
         /*default=*/"::nacre::quantization::Rounding::Nearest",
         "Which integers weights become", [{
           ::llvm::cl::values(
             clEnumValN(::nacre::quantization::Rounding::Nearest, "nearest",
                        "The nearest ones"),
             clEnumValN(::nacre::quantization::Rounding::Hessian, "hessian",
                        "Those that change results the least, by the sums of "
                        "products of inputs that the file of ranges knows"))
         }]>;

/// Which scales weights have.
defvar IE_CalibrateWeightsOption =
  Option<"calibrateWeights", "calibrate-weights", "bool", /*default=*/"false",
         "Scale weights for the least squared error, though it cuts off the "
         "largest">;

/// Where ranges come from, and how scales follow from them.
defvar IE_RangeOptions = [
  Option<"ranges", "ranges", "std::string", /*default=*/"\"\"",
         "File of the values' ranges">,
  Option<"schema", "schema", "::nacre::quantization::Schema",
         /*default=*/"::nacre::quantization::Schema::Asymmetric",
         "Scales and zero points of activations", [{
           ::llvm::cl::values(
             clEnumValN(::nacre::quantization::Schema::Asymmetric,
                        "asymmetric", "Any zero point"),
             clEnumValN(::nacre::quantization::Schema::Symmetric,
                        "symmetric", "int8, zero point 0"),
             clEnumValN(::nacre::quantization::Schema::SymmetricWithUInt8,
                        "symmetric_with_uint8",
                        "uint8 where nothing is negative, zero point 0"),
             clEnumValN(::nacre::quantization::Schema::SymmetricPower2,
                        "symmetric_power2",
                        "int8, zero point 0, powers of two as scales"))
         }]>,
  Option<"activations", "activations", "::nacre::quantization::ActivationType",
         /*default=*/"::nacre::quantization::ActivationType::UInt8",
         "Type of activations", [{
           ::llvm::cl::values(
             clEnumValN(::nacre::quantization::ActivationType::UInt8, "uint8",
                        "unsigned bytes"),
             clEnumValN(::nacre::quantization::ActivationType::Int8, "int8",
                        "signed bytes"),
             clEnumValN(::nacre::quantization::ActivationType::Int16, "int16",
                        "16 bits, symmetric whatever else the schema says"))
         }]>,
  Option<"calibrator", "calibrator", "::nacre::quantization::Calibrator",
         /*default=*/"::nacre::quantization::Calibrator::MSE",
         "How the range is chosen from what occurred", [{
           ::llvm::cl::values(
             clEnumValN(::nacre::quantization::Calibrator::MinMax, "minmax",
                        "All that occurred"),
             clEnumValN(::nacre::quantization::Calibrator::Percentile,
                        "percentile", "All but the rarest on either side"),
             clEnumValN(::nacre::quantization::Calibrator::Entropy, "entropy",
                        "The most information"),
             clEnumValN(::nacre::quantization::Calibrator::MSE, "mse",
                        "The least squared error"))
         }]>,
  Option<"percentile", "percentile", "double", /*default=*/"99.99",
         "What calibrator=percentile keeps at each end">,
  Option<"perChannel", "per-channel", "bool", /*default=*/"true",
         "Give each channel of weights a scale of its own">
];

def Equalize : Pass<"ie-equalize", "::mlir::func::FuncOp"> {
  let summary = "Make the channels between two products equally large";
  let description = [{
    Between two products with constant weights, of which the second alone reads the
    first, at most through rectifiers, a channel can be multiplied by any positive
    factor: the weights and the bias that compute it are, and the weights that read
    it are divided. One scale for all channels then tells more apart in small ones,
    and so does one scale for all weights.

    By the ranges of channels in `ranges` and the weights, several choices of factors
    are compared: for each, the noise of the second product's result is estimated that
    comes from rounding what it reads, its weights, and the weights of the first. That
    of the least noise is taken where it gains at least half a decibel. What was done
    is kept as `nacre.rescaled` of the ops that compute the values, and as
    `nacre.repairs` of the function, until ie-quantize.

    A Clip is passed where samples never came to its upper bound and it is 0 or never
    came to the lower one, either: it becomes a Relu, or goes away. Values whose range
    is an override stay as they are, as do those that were infinite or not a number.
    Nothing is done where `ranges` says that it was of no use on the samples.

    Example: with channels of `%0` up to 1 and up to 100,
    ```mlir
    %0 = IE.Conv(%x, %w0, %b0) : (...)
    %1 = IE.Relu %0 : tensor<1x2x8x8xf32> -> tensor<1x2x8x8xf32>
    %2 = IE.Conv(%1, %w1) : (...)
    ```
    the first output channel of `%w0` and `%b0` becomes 10 times larger, its second a
    tenth, and the input channels of `%w1` a tenth and 10 times larger.
  }];
  let options = IE_RangeOptions;
  let statistics = [
    Statistic<"numValues", "num-values", "Number of values that were rescaled">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def Smooth : Pass<"ie-smooth", "::mlir::func::FuncOp"> {
  let summary = "Have weights of matrix products take over what makes channels "
                "large";
  let description = [{
    Some columns of what a Gemm or MatMul multiplies by constants may be far larger than
    the others, which one scale then rounds to little. Column j is divided by
    `max|X_j|^a / max|W_j|^(1-a)`, and row j of the weights is multiplied by that; `a` is
    that of .3, .5, .7, .85 and .95 for which the estimated noise of the result is least.
    Products that read the same value share the divisors.

    The division becomes a part of what computes the value, where that is a product, or a
    multiplication or addition with constants as at the end of a normalisation, and all
    that reads the value are such products: that is done where it gains half a decibel.
    Elsewhere a Mul is inserted, where it gains more than 3 dB.

    What was done is kept as ie-equalize does.
  }];
  let options = IE_RangeOptions;
  let statistics = [
    Statistic<"numFolded", "num-folded",
              "Number of values that are computed divided">,
    Statistic<"numInserted", "num-inserted", "Number of inserted Muls">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def Quantize : Pass<"ie-quantize", "::mlir::func::FuncOp"> {
  let summary = "Quantize what computes products, by the ranges of values";
  let description = [{
    `ranges` is a file that `nacre calibrate` wrote. The input of each Conv, Gemm
    and MatMul with constant weights goes through a QuantizeLinear and a
    DequantizeLinear, weights become int8 and biases int32 constants that are
    dequantized. `ie-fuse-quantization` computes on the integers what is between.
    Of 16 bits, that are floats which these integers stand for.
    With `bias-correction=fast`, where the file knows the means of the input's
    channels, biases make up for the mean of what rounding of the weights changes.
    With `exact` they make up for what the file says under `biases`: by what each
    channel that a product computes is larger than in f32, in the mean of runs of the
    model quantized and corrected up to there. These are of one plan, that is for the
    same scales; of another one, and where there are none, `exact` is an error.

    With `rounding=hessian` weights are rounded one after the other, those that are
    left making up for the error as far as the inputs of samples allow, of which the
    file has sums of products. Biases then need no correction. Products of whose
    inputs there are none have the nearest integers.

    Ops say by `QuantizableOpInterface` what they do with integers. What carries
    elements on (Reshape, MaxPool) does so after the QuantizeLinear; a sum or a
    mean is quantized where its result has to be. A value has one pair, that all
    its users share but for the results of the function, which stay as they are.
    A Clip whose bounds the integers have anyway is left out in front of a
    QuantizeLinear, or becomes a Relu, unless `keep-activations` is given.

    With `matmul-activations`, a MatMul of which neither operand is a constant is a
    product, too, both of whose operands are quantized.

    With `quantize-inputs` and `quantize-outputs`, the f32 inputs and results of the
    function have pairs, too, whatever reads or computes them. A result that moves
    elements of a value that is quantized has one of the same parameters at its end.
    States stay as they are.

    A value stays f32 if it was infinite, not a number, or beyond 1e30, and so does
    what the file says so of under `overrides`. A value of which the file knows no
    range is an error.

    With `run-time-parameters` the function computes floats and gets an input
    `nacre.quantization` more, a vector that says what of this a run does. For each
    value that would be quantized it has a scale, a zero point, the least and the
    largest integer, and whether the value is rounded so (1) or stays as it is (0);
    then for each product whether it reads weights that int8 can hold (1) or its own
    (0). Products come users first, values as products need them. With
    `channel-means`, the biases of products follow, in the same order: numbers that
    are added to them. A result more, `nacre.means`, has the means of the same
    channels of what these products compute.
  }];
  let options = !listconcat(IE_KeepOptions, IE_RangeOptions, [
    Option<"weightBits", "weight-bits", "unsigned", /*default=*/"8",
           "Bits of weights: 8, 7, which int8 holds, or 16">,
    IE_CalibrateWeightsOption,
    Option<"bias", "bias", "::nacre::quantization::BiasType",
           /*default=*/"::nacre::quantization::BiasType::Int32",
           "Type of biases", [{
             ::llvm::cl::values(
               clEnumValN(::nacre::quantization::BiasType::Int32, "int32",
                          "The scale of the sums"),
               clEnumValN(::nacre::quantization::BiasType::Int8, "int8",
                          "A scale of their own"),
               clEnumValN(::nacre::quantization::BiasType::F32, "f32",
                          "Floats"))
           }]>,
    Option<"biasCorrection", "bias-correction",
           "::nacre::quantization::BiasCorrection",
           /*default=*/"::nacre::quantization::BiasCorrection::Fast",
           "What biases make up for", [{
             ::llvm::cl::values(
               clEnumValN(::nacre::quantization::BiasCorrection::Off, "off",
                          "Nothing"),
               clEnumValN(::nacre::quantization::BiasCorrection::Fast, "fast",
                          "The mean of what rounding of the weights changes"),
               clEnumValN(::nacre::quantization::BiasCorrection::Exact, "exact",
                          "What the file of ranges says that runs have shown"))
           }]>,
    IE_RoundingOption,
    Option<"keepActivations", "keep-activations", "bool", /*default=*/"false",
           "Keep a Clip whose bounds the integers have anyway">,
    Option<"matMulActivations", "matmul-activations", "bool",
           /*default=*/"false", "Quantize products of two values, too">,
    Option<"quantizeInputs", "quantize-inputs", "bool", /*default=*/"false",
           "Quantize inputs of the function whatever reads them">,
    Option<"quantizeOutputs", "quantize-outputs", "bool", /*default=*/"false",
           "Quantize results of the function">,
    Option<"runTimeParameters", "run-time-parameters", "bool",
           /*default=*/"false",
           "Round floats, as an input says that is added">,
    Option<"channelMeans", "channel-means", "bool", /*default=*/"false",
           "With run-time-parameters, also correct biases by that input, and "
           "have the means of channels as a result">
  ]);
  let statistics = [
    Statistic<"numLinear", "num-linear", "Number of products on integers">,
    Statistic<"numValues", "num-values", "Number of values quantized">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def QuantizeBoundary : Pass<"ie-quantize-boundary", "::mlir::func::FuncOp"> {
  let summary = "Have a function take and give integers instead of floats";
  let description = [{
    An f32 argument that a QuantizeLinear alone reads becomes an argument of the
    integers that this makes, and a result that a DequantizeLinear computes a result of
    the integers that this reads, where scale and zero point are one constant each.
    `nacre.integers` says what they stand for. States stay f32.

    Example:
    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = IE.QuantizeLinear(%x, %scale, %zero) : (...) -> tensor<4xui8>
      %1 = IE.DequantizeLinear(%0, %scale, %zero) : (...) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    ```
    becomes
    ```mlir
    func.func @main(%x: tensor<4xui8> {nacre.integers = #nacre.integers<...>})
        -> (tensor<4xui8> {nacre.integers = #nacre.integers<...>}) {
      return %x : tensor<4xui8>
    ```
  }];
  let statistics = [
    Statistic<"numValues", "num-values",
              "Number of inputs and results that became integers">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect",
                           "::nacre::abi::NacreDialect"];
}

def QuantizeEmbeddings : Pass<"ie-quantize-embeddings", "::mlir::func::FuncOp"> {
  let summary = "Store tables of which Gathers pick rows as int8";
  let description = [{
    A constant f32 table of which Gathers alone pick rows (axis 0) becomes int8, with a
    scale for each row. What is picked is cast to f32 and multiplied by the scales that
    are picked, which are all the arithmetic that it takes.

    What the user keeps f32 stays so, by node and by the kind Gather, and so does a
    table that something else reads, too, that is not finite, or whose rows have one
    element.

    Example:
    ```mlir
    %1 = IE.Gather %table, %ids : tensor<30x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
    ```
    becomes
    ```mlir
    %1 = IE.Gather %integers, %ids : tensor<30x8xi8>, tensor<?xi64> -> tensor<?x8xi8>
    %2 = IE.Cast %1 {saturate = 1 : i64, to = f32} : tensor<?x8xi8> -> tensor<?x8xf32>
    %3 = IE.Gather %scales, %ids : tensor<30x1xf32>, tensor<?xi64> -> tensor<?x1xf32>
    %4 = IE.Mul %2, %3 : tensor<?x8xf32>, tensor<?x1xf32> -> tensor<?x8xf32>
    ```
  }];
  let options = IE_KeepOptions;
  let statistics = [
    Statistic<"numTables", "num-tables", "Number of tables that became int8">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def QuantizeWeights : Pass<"ie-quantize-weights", "::mlir::func::FuncOp"> {
  let summary = "Give products of matrices weights of few bits";
  let description = [{
    The constant f32 matrix that a Gemm or MatMul reads becomes integers of 4 or 8
    bits, which a DequantizeLinear makes floats, with a scale for each `block-size`
    elements that are summed. `ie-fuse-quantization` has the product read the
    integers as they are.

    With `n-bits`, the product becomes an IE.MatMulNBits of integers of 4 bits at once,
    and an Add of the bias, where there is one.

    The scales are those of least squared error of some; `rounding` is as that of
    ie-quantize. Weights that are no matrix, as those of convolutions, stay f32:
    they would be f32 once compiled.
  }];
  let options = !listconcat(IE_KeepOptions, [
    Option<"bits", "bits", "unsigned", /*default=*/"8", "4 or 8">,
    Option<"blockSize", "block-size", "int64_t", /*default=*/"0",
           "Elements of a block, a multiple of 8; 0 for all that are summed">,
    Option<"nBits", "n-bits", "bool", /*default=*/"false",
           "Have products be MatMulNBits, of 4 bits and blocks of 16 to 256">,
    IE_RoundingOption,
    Option<"ranges", "ranges", "std::string", /*default=*/"\"\"",
           "File of the values' ranges, for rounding=hessian">
  ]);
  let statistics = [
    Statistic<"numProducts", "num-products",
              "Number of products with weights of few bits">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def QuantizeDynamic : Pass<"ie-quantize-dynamic", "::mlir::func::FuncOp"> {
  let summary = "Compute products on bytes by ranges that each run finds";
  let description = [{
    What a Conv, Gemm or MatMul with constant f32 weights reads goes through a
    DynamicQuantizeLinear, once for all products that read it. Weights become
    integers with a scale for each output channel, or one for all, and the product
    a ConvInteger or MatMulInteger, whose sums are scaled and get the bias as
    floats. That is what other tools that quantize without data write.

    Weights are symmetric: int8 of matrices, and uint8 around 128 of convolutions,
    since other runtimes know no signed ones there. Depthwise convolutions stay
    f32, as they take less time than finding the range.

    Weights of few bits (MatMulNBits) stay as they are: their `accuracy_level`
    becomes 4, by which what they are multiplied with is bytes, block by block.
  }];
  let options = !listconcat(IE_KeepOptions, [
    Option<"perChannel", "per-channel", "bool", /*default=*/"true",
           "Give each channel of weights a scale of its own">,
    Option<"weightBits", "weight-bits", "unsigned", /*default=*/"8",
           "Bits of weights: 8, or 7, which int8 holds">,
    IE_CalibrateWeightsOption
  ]);
  let statistics = [
    Statistic<"numProducts", "num-products", "Number of products on integers">,
    Statistic<"numValues", "num-values", "Number of values quantized">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

#endif // NACRE_DIALECT_IE_TRANSFORMS_QUANTIZATIONPASSES_TD
