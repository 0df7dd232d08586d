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
include "nacre/Dialect/IE/Transforms/QuantizationPasses.td"

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

    What passes on the graph want whole, a LayerNormalization, is left to a second
    run, `late`, behind which it is means and arithmetic, and a mean over all pixels a
    GlobalAveragePool as by `ie-reduce-to-pool`. What the architecture wants
    whole for its engine is left there, too: the module's attribute `nacre.keep`,
    which `init-compiler` takes from the descriptor, names it. What the engine does
    not take of that is left to `convert-ie-to-linalg`.
  }];
  let options = [
    Option<"late", "late", "bool", /*default=*/"false",
           "Also take apart what passes on the graph want whole">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FuseScaleShift : Pass<"ie-fuse-scale-shift", "::mlir::ModuleOp"> {
  let summary = "Fold per-channel scales and shifts into weights and bias";
  let description = [{
    A BatchNormalization, or a Mul, Div, Add or Sub with one constant per
    channel, that is the only user of a Conv, ConvTranspose or Gemm with constant
    weights becomes part of its weights and bias. So does one that a Conv or Gemm
    alone reads; where a convolution pads, only if nothing is added, since the
    padding is not shifted.
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
    - Softmax: `e / ReduceSum(e)` of `e = Exp(x - ReduceMax(x))`;
    - LayerNormalization: `d / Sqrt(ReduceMean(d * d) + epsilon) * scale + bias` of
      `d = x - ReduceMean(x)`, where means are over the last dimensions and scale
      and bias are constants with an element for each of theirs. `Pow(d, 2)` and a
      product with the reciprocal are the same; the bias may be missing;

    and of activations, in any association,

    - Gelu: `x / 2 * (1 + erf(x / sqrt(2)))` and
      `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))`;
    - Sigmoid: `1 / (1 + exp(-x))`;
    - Swish: `x * sigmoid(alpha * x)` and `x / (1 + exp(-x))`;
    - HardSigmoid and HardSwish: `clip(x + 3, 0, 6) / 6`, and `x` times that;
    - Mish: `x * tanh(softplus(x))`.

    Results are those of the arithmetic for infinities and NaN, too; of a zero the
    sign may change, and the last bits of activations and of a normalisation that
    multiplies by the reciprocal. `Where(x > 0, x, 0)` is 0 for NaN, which no rectifier is, and
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
    their elements, as attention does with queries, keys and values. The matrices, and
    the rows, are joined to one constant. Large matrices
    stay: they keep all cores busy alone. What a whole tile is, and how many elements
    are many, are numbers of machines, which IE does not know: pipelines say them.
  }];
  let options = [
    Option<"tileColumns", "tile-columns", "int64_t", /*default=*/"1",
           "Columns of a whole tile, of which each matrix has a multiple">,
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"0",
           "The most elements of a joined matrix; 0 joins any">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FuseMatMulAdd : Pass<"ie-fuse-matmul-add", "::mlir::func::FuncOp"> {
  let summary = "Make a MatMul with constant weights and its bias a Gemm";
  let description = [{
    A product with a constant matrix plus a constant row becomes one Gemm over
    all leading dimensions, reshaped around it. Their sizes may be unknown. With
    `split-batches`, a batch of more than rows whose size is unknown is left as
    it is: `ie-batch-to-scan` makes a loop of it in which all sizes are known.
  }];
  let options = [
    Option<"splitsBatches", "split-batches", "bool", /*default=*/"true",
           "Leave batches to a loop over their samples">];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

def FuseQuantization : Pass<"ie-fuse-quantization", "::mlir::func::FuncOp"> {
  let summary = "Compute convolutions and products of dequantized operands on "
                "integers";
  let description = [{
    A Conv, MatMul or Gemm whose operands are dequantized, the left one by one
    scale, becomes a ConvInteger or MatMulInteger, whose 32-bit sums are exact,
    and a multiplication by the product of the scales. Ops that only move or
    select elements do so before the elements are dequantized, those that move them
    also before integers of 16 bits are, and what a Concat joins is quantized before
    it is joined. A QuantizeLinear of integers that have its parameters is left out,
    and so is a Relu or a Clip beside either op whose bounds the integers have
    anyway: the results are the same to the last bit. Of other parameters, both ops
    stay, and are one loop once they are lowered.

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

    Where it is made of dequantized integers alone, rectified, moved or not, there is
    nothing that rounds by other rules: all of these integers are computed when
    the model is compiled, and the scales become one factor only if each of them
    gives the same one as with two. So does a pair of a DequantizeLinear and a
    QuantizeLinear that follows such a pair.
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
    lost. Sums of constants are computed at once. Of dynamic sizes only the number
    of rows that one matrix is multiplied by may be; other matrices of dynamic
    size, weights of convolutions that are no constants and depthwise
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
  let summary = "Check at run time the sizes that only the model declares";
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
    tried on a copy; dynamic sizes count as nothing.

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

#endif // NACRE_DIALECT_IE_TRANSFORMS_PASSES_TD
