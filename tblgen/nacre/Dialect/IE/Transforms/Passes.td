//===- Passes.td - Transformations of IE -------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the graph-level passes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_PASSES_TD
#define NACRE_DIALECT_IE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapes : Pass<"ie-infer-shapes", "::mlir::func::FuncOp"> {
  let summary = "Refine result types from operand types and constants";
  let description = [{
    Re-runs every op's type inference in order and keeps the more static of the
    inferred and the present type, so that a shape fixed at the function's
    arguments or by a folded constant reaches the results.
  }];
}

def ConstantFold : Pass<"ie-constant-fold", "::mlir::func::FuncOp"> {
  let summary = "Evaluate ops of constant operands with the interpreter";
  let description = [{
    Replaces each op whose operands are all constants by its value. A result of
    more than `max-elements` elements is kept as an op unless it is not larger
    than the operands together, so that a fill or a tile does not bloat the
    artifact. So is a mask of more than `max-mask` elements, such as a comparison
    of the positions of queries with those of keys: what reads it computes it from
    them.
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"134217728",
           "Largest result that may outgrow its operands">,
    Option<"maxGenerated", "max-generated", "int64_t", /*default=*/"4096",
           "Largest result of an op without operands, such as random numbers">,
    Option<"maxMask", "max-mask", "int64_t", /*default=*/"262144",
           "Largest mask that may outgrow its operands">
  ];
  let statistics = [
    Statistic<"numFolded", "num-folded", "Number of ops evaluated">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def HandleGettingStarted : Pass<"handle-getting-started",
                                "::mlir::func::FuncOp"> {
  let summary = "Rewrite the tutorial's ops in one of three ways";
  let description = [{
    `walk` prints the counter of every op that implements
    GettingStartedInterface and sets each `myInt` to 100. `greedy` counts each
    `myInt` down to 0 with a pattern, printing every step. `conversion` removes
    the ops whose `myInt` is above 0 and converts `!IE.GettingStartedTensor`
    where it is repeated. docs/Tutorial.md explains all three.
  }];
  let options = [
    Option<"variant", "variant", "::nacre::IE::GettingStartedVariant",
           /*default=*/"::nacre::IE::GettingStartedVariant::walk",
           "How the ops are found and rewritten", [{
             ::llvm::cl::values(
               clEnumValN(::nacre::IE::GettingStartedVariant::walk, "walk",
                          "Visit the ops one after the other"),
               clEnumValN(::nacre::IE::GettingStartedVariant::greedy, "greedy",
                          "Apply patterns until nothing changes"),
               clEnumValN(::nacre::IE::GettingStartedVariant::conversion,
                          "conversion", "Make illegal ops legal"))
           }]>
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def ConstantsToMemRef : Pass<"ie-constants-to-memref",
                             "::mlir::func::FuncOp"> {
  let summary = "Turn small constants into buffers filled element by element";
  let description = [{
    Each small constant becomes a `memref.alloc` at the front of its block, an
    `affine.store` per element in its place, and a `memref.dealloc` at the back
    of the block. Constants that leave the function stay.
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"64",
           "Largest constant that is turned into stores">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def Decompose : Pass<"ie-decompose", "::mlir::func::FuncOp"> {
  let summary = "Express composite ops by simpler ones";
  let description = [{
    QLinearConv and QLinearMatMul become a ConvInteger or MatMulInteger, whose
    sums are scaled and quantized. An Einsum of static shapes becomes a MatMul
    of its operands, which are transposed, summed and reshaped around it. A
    MaxUnpool scatters into zeros. A DynamicQuantizeLinear finds the range and
    quantizes by it.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FuseScaleShift : Pass<"ie-fuse-scale-shift", "::mlir::ModuleOp"> {
  let summary = "Fold per-channel scales and shifts into weights and bias";
  let description = [{
    A BatchNormalization, or a Mul, Div, Add or Sub with one constant per
    channel, that is the only user of a Conv, ConvTranspose or Gemm with constant
    weights becomes part of its weights and bias.
  }];
  let options = [
    Option<"releaseConstants", "release-constants", "bool", /*default=*/"false",
           "Free weights once they have been replaced; the context must hold no "
           "other module to be compiled">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FusePad : Pass<"ie-fuse-pad", "::mlir::func::FuncOp"> {
  let summary = "Fold constant zero padding into convolutions";
  let description = [{
    A Pad with zeros of spatial dimensions only is added to the `pads` of the
    Conv that uses it.
  }];
}

def Raise : Pass<"ie-raise", "::mlir::func::FuncOp"> {
  let summary = "Make the arithmetic that defines an operator one op";
  let description = [{
    Finds, with numbers in place of a, b and alpha,

    - Clip and Relu: `Max(x, a)`, `Min(x, b)`, `Where(x < a, a, x)`,
      `Where(x > b, b, x)`, and two of them on top of each other;
    - LeakyRelu: `Max(x, alpha * x)` with alpha between 0 and 1,
      `Where(x < 0, alpha * x, x)`, `Where(x > 0, x, alpha * x)`, and PRelu of one
      slope;
    - Softmax: `e / ReduceSum(e)` of `e = Exp(x - ReduceMax(x))`.

    Results are those of the arithmetic for infinities and NaN, too; of a zero the
    sign may change. `Where(x > 0, x, 0)` is 0 for NaN, which no rectifier is, and
    stays. An op between that has other users stays for them.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def SwapReluPool : Pass<"ie-swap-relu-pool", "::mlir::func::FuncOp"> {
  let summary = "Rectify the maxima of windows instead of all elements";
  let description = [{
    MaxPool of Relu becomes Relu of MaxPool, where the Relu has no other user and
    what it rectifies is an argument, joined or moved, so that nothing in front
    could rectify it on the way. Windows have to hold at least one element: that of
    padding alone is below zero.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def SinkTransposes : Pass<"ie-sink-transposes", "::mlir::func::FuncOp"> {
  let summary = "Move transpositions to where they meet";
  let description = [{
    A Transpose that one op reads moves below it

    - where that computes single elements, of other operands that are transposed
      alike, of one element, or constants along one dimension, if then fewer are
      left: two operands were transposed, or further down is another Transpose;
    - where that joins parts which are all transposed alike;
    - where that is a Slice or a reduction, which leaves less to transpose.

    Two that meet are one. What moves dimensions of one element alone is a Reshape.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def ReduceToPool : Pass<"ie-reduce-to-pool", "::mlir::func::FuncOp"> {
  let summary = "Make means over all pixels pools";
  let description = [{
    ReduceMean of all spatial dimensions of images or volumes becomes
    GlobalAveragePool, which the engine computes in its own layout. Where the
    dimensions go, a Squeeze follows.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def MergeMatMuls : Pass<"ie-merge-matmuls", "::mlir::func::FuncOp"> {
  let summary = "Multiply an operand by several constant matrices at once";
  let description = [{
    Products (MatMul, Gemm, both with a constant row or without one) of one operand
    with constant matrices become one product with all of their columns, whose result a Split
    cuts, if each has whole register tiles of columns, and if what reads them moves
    their elements, as attention does with queries, keys and values. Large matrices
    stay: they keep all cores busy alone.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FuseActivations : Pass<"ie-fuse-activations", "::mlir::func::FuncOp"> {
  let summary = "Make the arithmetic that defines an activation one op";
  let description = [{
    Finds, in any association,

    - Gelu: `x / 2 * (1 + erf(x / sqrt(2)))` and
      `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))`;
    - Sigmoid: `1 / (1 + exp(-x))`;
    - Swish: `x * sigmoid(alpha * x)` and `x / (1 + exp(-x))`;
    - HardSigmoid and HardSwish: `clip(x + 3, 0, 6) / 6`, and `x` times that;
    - Mish: `x * tanh(softplus(x))`.

    An op between that has other users stays for them.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FuseMatMulAdd : Pass<"ie-fuse-matmul-add", "::mlir::func::FuncOp"> {
  let summary = "Make a MatMul with constant weights and its bias a Gemm";
  let description = [{
    A product with a constant matrix plus a constant row becomes one Gemm over
    all leading dimensions, reshaped around it.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FuseQuantization : Pass<"ie-fuse-quantization", "::mlir::func::FuncOp"> {
  let summary = "Compute convolutions and products of dequantized operands on "
                "integers";
  let description = [{
    A Conv, MatMul or Gemm whose operands are dequantized, the left one by one
    scale, becomes a ConvInteger or MatMulInteger, whose 32-bit sums are exact,
    and a multiplication by the product of the scales. Ops that only move or
    select elements do so before the elements are dequantized.

    Where only the weights are dequantized, constants of 2, 4 or 8 bits in blocks
    of K, or with one scale for each column, a MatMul or Gemm becomes a
    MatMulNBits, which reads them as they are stored. A Gather from a table of
    such rows dequantizes the rows that it picks.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FoldQuantizationScale : Pass<"ie-fold-quantization-scale",
                                 "::mlir::func::FuncOp"> {
  let summary = "Move the division of QuantizeLinear into its operands' scales";
  let description = [{
    The scale of a QuantizeLinear becomes 1 where its operand is made of
    dequantized numbers, products with constants and constants, by additions,
    rectifiers, pooling and reshapes: all of them can be divided for free.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def WidenFloats : Pass<"ie-widen-floats", "::mlir::func::FuncOp"> {
  let summary = "Compute floats of 16 bits in f32";
  let description = [{
    What computes f16 or bf16 computes f32 instead, and what moves the result
    moves f32, so that nothing is rounded in between. Where a value leaves such
    ops (a result of the function, what a body yields, an element of a sequence)
    it is converted back. A conversion that the model itself asks for rounds.
    Ops say by `PrecisionOpInterface` what they do with floats. What was not
    computed, such as a table of embeddings, is moved as it is, and widened
    thereafter.
  }];
  let statistics = [
    Statistic<"numWidened", "num-widened", "Number of ops that became f32">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def ExtractZeroPoints : Pass<"ie-extract-zero-points",
                             "::mlir::func::FuncOp"> {
  let summary = "Make zero points that an engine does not know sums of rows and "
                "columns";
  let description = [{
    An engine multiplies unsigned bytes by signed ones. A MatMulInteger keeps a
    zero point in the middle of the range of either operand's type, and a single
    one of the left operand where the right one is a constant matrix; a
    ConvInteger any of its input. Constant weights from which their zero point is
    subtracted may still be bytes. Other zero points are multiplied by the sums of
    the other operand's rows, columns or windows, which are a product with ones,
    and subtracted from the result: all of that is modulo 2^32, so nothing is
    lost. Matrices of unknown size, weights that a run computes and depthwise
    convolutions, which are summed in floats, stay as they are.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def BatchToScan : Pass<"ie-batch-to-scan", "::mlir::func::FuncOp"> {
  let summary = "Compute the samples of a batch of unknown size one by one";
  let description = [{
    Runs of operators whose first dimension, and no other, is dynamic, and which
    compute each index of it for itself, become the body of an `IE.Scan` over
    that dimension. In the body every size is known: 1 for the samples. A run
    without an operator such as a convolution or pooling, which gains by that,
    stays as it is.

    Arguments whose first dimensions have one name (`nacre.dims`) hold equally
    many samples; operators on samples of different arguments are not joined
    otherwise.
  }];
  let statistics = [
    Statistic<"numLoops", "loops", "Number of loops over samples">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def AssertDeclaredSizes
    : Pass<"ie-assert-declared-sizes", "::mlir::func::FuncOp"> {
  let summary = "Have a run check the sizes that only the model declares";
  let description = [{
    A result type may know sizes that type inference does not find: the model
    declares them. As soon as they are known, the sizes that follow from the
    operands of such an op are asserted to be those. Everything that lowers an op
    may then rely on its types. Ops whose result is as large as their data say
    are not `SizesOpInterface`, and are lowered to an assertion of their own.

    So are checked the sizes that a branch or loop declares of what its bodies
    yield (`YieldingOpInterface`); a run that comes to a value which is known to
    be of another size ends there. What is carried leaves a loop under the type
    that holds before the first run and after the last, and is cast to the
    declared one behind it.
  }];
  let statistics = [
    Statistic<"numChecked", "num-checked", "Number of ops with assertions">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def NameSizes : Pass<"ie-name-sizes", "::mlir::func::FuncOp"> {
  let summary = "Name the sizes of results after those of arguments";
  let description = [{
    A dimension of a result that is as large as one of an argument has that
    one's name in `nacre.dims`, unless the model declares another. What is
    computed from sizes stays without a name.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FlattenEmpty : Pass<"ie-flatten-empty", "::mlir::func::FuncOp"> {
  let summary = "Make tensors without elements vectors at the boundary";
  let description = [{
    Arguments and results without elements become vectors of none, whatever
    their shape; what used an argument uses a constant instead. Callers see no
    difference: there is nothing to pass. Buffers of several dimensions that
    have no elements have no strides, and could not be passed as pointers.
    Tensors of strings and of numbers of four or two bits are passed as values, which
    know their shape, and stay.
  }];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def TapValues : Pass<"ie-tap-values", "::mlir::ModuleOp"> {
  let summary = "Make the values of @main results of it";
  let description = [{
    Every f32 tensor that @main computes outside of regions, and every one that it
    takes, also becomes a result, under the name that the model has for it. Whoever
    runs the model then sees them. With `all-types` these are tensors of all element
    types, with `names` those alone whose names match a glob,
    with `chosen` those of a list. Where they are many,
    `max-bytes` makes groups of them, in the order of the function, of which `group`
    is chosen. Sizes count that are known when all constants are folded, which is
    tried on a copy; what only a run decides counts as nothing.

    The module says in `nacre.taps` which these are, beside their node, which of its
    results they are, its kind of op and the dimension that is that of channels; of
    integers that stand for floats the scale and the zero point, where they are
    constants; how many groups there are; and a digest of the graph, in which neither
    weights nor sizes matter.
  }];
  let options = [
    Option<"names", "names", "std::string", /*default=*/"\"\"",
           "Glob of the names of the values; all when empty">,
    Option<"allTypes", "all-types", "bool", /*default=*/"false",
           "Tensors of all element types, not of f32 alone">,
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"0",
           "Most bytes of the values of a group; 0 for no limit">,
    Option<"group", "group", "int64_t", /*default=*/"0",
           "Number of the group whose values become results">,
    ListOption<"chosen", "chosen", "std::string",
               "Names of values, of which only these are looked at">
  ];
  let statistics = [
    Statistic<"numTapped", "num-tapped", "Number of values that became results">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

/// What users keep f32.
defvar IE_KeepOptions = [
  ListOption<"keepNodes", "keep-nodes", "std::string",
             "Patterns of the names of nodes that stay f32">,
  ListOption<"keepOps", "keep-ops", "std::string",
             "Kinds of ops that stay f32, as Gemm">,
  ListOption<"onlyOps", "only-ops", "std::string",
             "Kinds of ops that alone are quantized">,
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
                        "16 bits, symmetric whatever the schema"))
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
    Where the file knows the means of the input's channels, biases make up for the
    mean of what rounding of the weights changes.

    With `rounding=hessian` weights are rounded one after the other, those that are
    left making up for the error as far as the inputs of samples allow, of which the
    file has sums of products. Biases then need no correction. Products of whose
    inputs there are none have the nearest integers.

    Ops say by `QuantizableOpInterface` what they do with integers. What carries
    elements on (Reshape, MaxPool) does so after the QuantizeLinear; a sum or a
    mean is quantized where its result has to be. A value has one pair, that all
    its users share but for the results of the function, which stay as they are.
    A Clip whose bounds the integers have anyway is left out in front of a
    QuantizeLinear, or becomes a Relu.

    A value stays f32 if it was infinite, not a number, or beyond 1e30, and so does
    what the file says so of under `overrides`. A value of which the file knows no
    range is an error.

    With `run-time-parameters` the function computes floats and gets an input
    `nacre.quantization` more, a vector that says what of this a run does. For each
    value that would be quantized it has a scale, a zero point, the least and the
    largest integer, and whether the value is rounded so (1) or stays as it is (0);
    then for each product whether it reads weights that int8 can hold (1) or its own
    (0). Products come users first, values as products need them.
  }];
  let options = !listconcat(IE_KeepOptions, IE_RangeOptions, [
    Option<"weightBits", "weight-bits", "unsigned", /*default=*/"8",
           "Bits of weights, 8 or 16">,
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
    Option<"biasCorrection", "bias-correction", "bool", /*default=*/"true",
           "Have biases make up for the mean of what rounding weights changes">,
    IE_RoundingOption,
    Option<"runTimeParameters", "run-time-parameters", "bool",
           /*default=*/"false",
           "Round floats, as an input says that is added">
  ]);
  let statistics = [
    Statistic<"numLinear", "num-linear", "Number of products on integers">,
    Statistic<"numValues", "num-values", "Number of values quantized">
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

    The scales are those of least squared error of some; `rounding` is as that of
    ie-quantize. Weights that are no
    matrix, as those of convolutions, stay f32: they would be f32 once compiled.
  }];
  let options = !listconcat(IE_KeepOptions, [
    Option<"bits", "bits", "unsigned", /*default=*/"8", "4 or 8">,
    Option<"blockSize", "block-size", "int64_t", /*default=*/"0",
           "Elements of a block, a multiple of 8; 0 for all that are summed">,
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
  }];
  let options = !listconcat(IE_KeepOptions, [
    Option<"perChannel", "per-channel", "bool", /*default=*/"true",
           "Give each channel of weights a scale of its own">
  ]);
  let statistics = [
    Statistic<"numProducts", "num-products", "Number of products on integers">,
    Statistic<"numValues", "num-values", "Number of values quantized">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

#endif // NACRE_DIALECT_IE_TRANSFORMS_PASSES_TD
