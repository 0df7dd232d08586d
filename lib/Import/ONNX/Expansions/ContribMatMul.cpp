//===- ContribMatMul.cpp - Expansions: fused and packed products ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX Runtime's convolutions and matrix products with something before or
// after them, or with weights of few bits.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"
#include "QuantizedMath.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// The activation `name` with its parameters in order.
static Value activate(Expander &e, Value value, StringRef name,
                      ArrayRef<double> parameters) {
  auto build = [&](auto op, ArrayRef<StringRef> names) -> Value {
    SmallVector<NamedAttribute> attributes;
    for (auto [key, parameter] : llvm::zip(names, parameters)) {
      attributes.push_back(e.attr(key, parameter));
    }
    return e.create<decltype(op)>({value}, attributes);
  };
  if (name.empty()) {
    return value;
  }
  if (name == "Relu") {
    return build(IE::ReluOp(), {});
  }
  if (name == "Tanh") {
    return build(IE::TanhOp(), {});
  }
  if (name == "Sigmoid") {
    return build(IE::SigmoidOp(), {});
  }
  if (name == "LeakyRelu") {
    return build(IE::LeakyReluOp(), {"alpha"});
  }
  if (name == "HardSigmoid") {
    return build(IE::HardSigmoidOp(), {"alpha", "beta"});
  }
  if (name == "HardSwish") {
    return build(IE::HardSwishOp(), {});
  }
  if (name == "Clip" && parameters.size() == 2) {
    Type element = e.getElement(value);
    return e.clip(value, e.buildScalar(parameters[0], element),
                  e.buildScalar(parameters[1], element));
  }
  e.reject("activation '" + name + "'");
  return {};
}

static void expandFusedConv(Expander &e) {
  SmallVector<Value> operands = {e.getRequiredInput(0, "X"),
                                 e.getRequiredInput(1, "W")};
  std::string activation = e.takeString("activation", "");
  SmallVector<double> parameters = e.takeFloats("activation_params");
  if (Value bias = e.getInput(2)) {
    operands.push_back(bias);
  }
  Value result = e.create<IE::ConvOp>(operands, e.takeAttributes());
  if (Value addend = e.getInput(3)) {
    result = e.add(result, addend);
  }
  e.setResults(activate(e, result, activation, parameters));
}

static void expandFusedGemm(Expander &e) {
  SmallVector<Value> operands = {e.getRequiredInput(0, "A"),
                                 e.getRequiredInput(1, "B")};
  std::string activation = e.takeString("activation", "");
  SmallVector<double> parameters;
  for (StringRef name :
       {"activation_alpha", "activation_beta", "activation_gamma"}) {
    if (e.has(name)) {
      parameters.push_back(e.takeFloat(name, 0));
    }
  }
  if (Value addend = e.getInput(2)) {
    operands.push_back(addend);
  }
  Value result = e.create<IE::GemmOp>(operands, e.takeAttributes());
  e.setResults(activate(e, result, activation, parameters));
}

/// A matrix of the last two dimensions, transposed.
static Value transposeMatrix(Expander &e, Value value) {
  int64_t rank = e.getRank(value);
  if (rank < 2) {
    return value;
  }
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  return e.transpose(value, permutation);
}

/// A batch of matrices whose first dimension comes before those of the batch.
static Value takeRowsFromFront(Expander &e, Value value) {
  int64_t rank = e.getRank(value);
  if (rank < 3) {
    return value;
  }
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(1, rank - 1));
  permutation.append({0, rank - 1});
  return e.transpose(value, permutation);
}

static void expandFusedMatMul(Expander &e) {
  Value lhs = e.getRequiredInput(0, "A"), rhs = e.getRequiredInput(1, "B");
  double alpha = e.takeFloat("alpha", 1);
  if (e.takeInt("transBatchA", 0) != 0) {
    lhs = takeRowsFromFront(e, lhs);
  }
  if (e.takeInt("transBatchB", 0) != 0) {
    rhs = takeRowsFromFront(e, rhs);
  }
  if (e.takeInt("transA", 0) != 0) {
    lhs = transposeMatrix(e, lhs);
  }
  if (e.takeInt("transB", 0) != 0) {
    rhs = transposeMatrix(e, rhs);
  }
  Value product = e.matmul(lhs, rhs);
  e.setResults(alpha == 1 ? product : e.mul(product, alpha));
}

static void expandGemmFastGelu(Expander &e) {
  Value product =
      e.matmul(e.getRequiredInput(0, "X"), e.getRequiredInput(1, "W"));
  if (Value bias = e.getInput(2)) {
    product = e.add(product, bias);
  }
  e.setResults(e.create<IE::GeluOp>(
      {product}, {e.attr("approximate", StringRef("tanh"))}));
}

/// The distance of each row of A from each row of B.
static void expandCDist(Expander &e) {
  Value lhs = e.getRequiredInput(0, "A"), rhs = e.getRequiredInput(1, "B");
  std::string metric = e.takeString("metric", "sqeuclidean");
  if (metric != "sqeuclidean" && metric != "euclidean") {
    return e.reject("metric '" + metric + "'");
  }
  if (!e.expectRank(lhs, 2, "A") || !e.expectRank(rhs, 2, "B")) {
    return;
  }
  Value difference = e.sub(e.unsqueeze(lhs, 1), e.unsqueeze(rhs, 0));
  Value distance =
      e.reduce<IE::ReduceSumSquareOp>(difference, 2, /*keepDims=*/false);
  e.setResults(metric == "euclidean" ? e.create<IE::SqrtOp>({distance})
                                     : distance);
}

//===----------------------------------------------------------------------===//
// Weights of few bits
//===----------------------------------------------------------------------===//

static bool expectBits(Expander &e, int64_t bits) {
  if (bits != 2 && bits != 4 && bits != 8) {
    e.reject("weights of " + Twine(bits) +
             " bits; those of 2, 4 and 8 are "
             "supported");
  }
  return !e.hasFailed();
}

/// (steps - zeroPoint) * scale, where the last dimension of `steps` is that of
/// the blocks.
static Value dequantizeBlocks(Expander &e, Value steps, Value zeroPoint,
                              Value scale) {
  Type element = e.getElement(scale);
  return e.mul(e.sub(e.cast(steps, element), zeroPoint), scale);
}

namespace {
/// Weights (N, blocks, bytes) and the numbers of their blocks, of a product.
struct BlockedWeights {
  Value packed, scales, zeroPoints;
  int64_t depth, columns, blocks, block, bits;
};
} // namespace

/// A product whose rows of weights are of any block each: `groups` says of
/// which. The weights become floats.
static Value multiplyGroups(Expander &e, Value input, const BlockedWeights &w,
                            Value groups) {
  Type element = e.getElement(w.scales);
  Value zero;
  if (!w.zeroPoints) {
    zero = e.buildScalar(static_cast<double>(1 << (w.bits - 1)), element);
  } else if (isa<FloatType>(e.getElement(w.zeroPoints))) {
    zero = e.cast(w.zeroPoints, element);
  } else {
    zero = unpackBits(e, e.reshape(w.zeroPoints, {w.columns, -1}), w.bits);
    if (e.getDim(zero, 1) != w.blocks) {
      zero = e.slice(zero, 1, 0, w.blocks);
    }
    zero = e.cast(zero, element);
  }
  auto spread = [&](Value parameter) {
    return e.getRank(parameter) == 0
               ? parameter
               : e.gather(e.reshape(parameter, {w.columns, w.blocks}), groups,
                          1);
  };
  Value steps = e.reshape(unpackBits(e, w.packed, w.bits),
                          {w.columns, w.blocks * w.block});
  if (w.blocks * w.block != w.depth) {
    steps = e.slice(steps, 1, 0, w.depth);
  }
  Value weights = dequantizeBlocks(e, steps, spread(zero), spread(w.scales));
  return e.matmul(input, e.transpose(weights, {1, 0}));
}

static void expandMatMulNBits(Expander &e) {
  Value input = e.getRequiredInput(0, "A");
  BlockedWeights w;
  w.packed = e.getRequiredInput(1, "B");
  w.scales = e.getRequiredInput(2, "scales");
  w.zeroPoints = e.getInput(3);
  w.depth = e.takeRequiredInt("K");
  w.columns = e.takeRequiredInt("N");
  w.block = e.takeRequiredInt("block_size");
  w.bits = e.takeInt("bits", 4);
  int64_t accuracyLevel = e.takeInt("accuracy_level", 0);
  if (e.takeInt("weight_prepacked", 0) != 0) {
    return e.reject("weights in the layout of an accelerator");
  }
  if (!expectBits(e, w.bits)) {
    return;
  }
  constexpr int64_t kByteBits = 8;
  if (w.depth < 1 || w.columns < 1 || w.block < 8 ||
      w.block * w.bits % kByteBits != 0) {
    return e.fail("expected positive 'K' and 'N', and blocks of at least 8 "
                  "that are whole bytes");
  }
  w.blocks = (w.depth + w.block - 1) / w.block;
  int64_t bytes = w.block * w.bits / kByteBits;
  if (!e.expectStatic(w.packed, "B")) {
    return;
  }
  if (e.getType(w.packed).getNumElements() != w.columns * w.blocks * bytes) {
    return e.fail("expected weights of " + Twine(w.columns) + "x" +
                  Twine(w.blocks) + "x" + Twine(bytes) + " bytes, found " +
                  Twine(e.getType(w.packed).getNumElements()));
  }
  w.packed = e.reshape(w.packed, {w.columns, w.blocks, bytes});
  Value bias = e.getInput(5);
  if (Value groups = e.getInput(4)) {
    Value result = multiplyGroups(e, input, w, groups);
    return e.setResults(bias ? e.add(result, bias) : result);
  }
  // Scales and zero points may be vectors.
  Value zero = w.zeroPoints;
  if (zero && isa<FloatType>(e.getElement(zero))) {
    zero =
        e.cast(e.reshape(zero, {w.columns, w.blocks}), e.getElement(w.scales));
  } else if (zero) {
    zero = e.reshape(
        zero, {w.columns, (w.blocks * w.bits + kByteBits - 1) / kByteBits});
  }
  e.setResults(e.create<IE::MatMulNBitsOp>(
      {input, w.packed, e.reshape(w.scales, {w.columns, w.blocks}), zero, bias},
      {e.attr("K", w.depth), e.attr("bits", w.bits),
       e.attr("block_size", w.block),
       e.attr("accuracy_level", accuracyLevel)}));
}

/// Weights that are entries of a table of 16, in blocks of the same scale, one
/// after the other through all rows of the transposed matrix.
static void expandMatMulBnb4(Expander &e) {
  // What the numbers of four bits stand for: floats of two bits of exponent and
  // one of mantissa, and quantiles of the normal distribution.
  static constexpr double kFloats[] = {0,           5.208333333e-03,
                                       0.66666667,  1,
                                       0.33333333,  0.5,
                                       0.16666667,  0.25,
                                       -0.,         -5.208333333e-03,
                                       -0.66666667, -1,
                                       -0.33333333, -0.5,
                                       -0.16666667, -0.25};
  static constexpr double kQuantiles[] = {-1.0,
                                          -0.6961928009986877,
                                          -0.5250730514526367,
                                          -0.39491748809814453,
                                          -0.28444138169288635,
                                          -0.18477343022823334,
                                          -0.09105003625154495,
                                          0.0,
                                          0.07958029955625534,
                                          0.16093020141124725,
                                          0.24611230194568634,
                                          0.33791524171829224,
                                          0.44070982933044434,
                                          0.5626170039176941,
                                          0.7229568362236023,
                                          1.0};
  Value input = e.getRequiredInput(0, "A");
  Value packed = e.getRequiredInput(1, "B");
  Value scales = e.getRequiredInput(2, "absmax");
  int64_t depth = e.takeRequiredInt("K"), columns = e.takeRequiredInt("N");
  int64_t block = e.takeRequiredInt("block_size");
  int64_t kind = e.takeRequiredInt("quant_type");
  bool isTransposed = e.takeInt("transB", 1) != 0;
  e.ignore({"training_mode"});
  if (!e.expectRank(packed, 1, "B") || !e.expectRank(scales, 1, "absmax")) {
    return;
  }
  if (depth < 1 || columns < 1 || block < 1 || kind < 0 || kind > 1) {
    return e.fail("expected positive 'K', 'N' and 'block_size', and a "
                  "'quant_type' of 0 or 1");
  }
  if (!isTransposed) {
    return e.reject("weights whose rows are not those of a transposed matrix");
  }
  int64_t bytes = e.getStaticDim(packed, 0, "B");
  int64_t blocks = e.getStaticDim(scales, 0, "absmax");
  if (!e.expectPlausible({depth, columns})) {
    return;
  }
  int64_t count = depth * columns;
  // One block may be longer than what is in it.
  block = std::min(block, count + count % 2);
  if (bytes != (count + 1) / 2 || blocks != (count + block - 1) / block ||
      block % 2 != 0) {
    return e.fail("expected " + Twine(count) + " weights in blocks of " +
                  Twine(block) + ", found " + Twine(bytes) + " bytes in " +
                  Twine(blocks) + " blocks");
  }
  Type element = e.getElement(scales);
  // The upper half of a byte comes first.
  Value halves = e.gather(unpackBits(e, e.reshape(packed, {bytes, 1}), 4),
                          e.buildInts({1, 0}), 1);
  Value steps = e.cast(e.reshape(halves, -1), e.getInt(64));
  Value table = e.buildTensor(kind == 0 ? kFloats : kQuantiles, 16, element);
  Value values = e.gather(table, steps, 0);
  if (blocks * block != 2 * bytes) {
    Value rest =
        e.buildTensor(SmallVector<double>(blocks * block - 2 * bytes, 0),
                      blocks * block - 2 * bytes, element);
    values = e.concat({values, rest}, 0);
  }
  Value weights =
      e.mul(e.reshape(values, {blocks, block}), e.unsqueeze(scales, 1));
  weights = e.reshape(weights, -1);
  if (blocks * block != count) {
    weights = e.slice(weights, 0, 0, count);
  }
  weights = e.transpose(e.reshape(weights, {columns, depth}), {1, 0});
  e.setResults(e.matmul(input, e.cast(weights, e.getElement(input))));
}

/// Slices of a table of integers of 4 bits, which `ie-fuse-quantization`
/// dequantizes once they are gathered.
static void gatherFourBits(Expander &e, Value data, Value indices, Value scales,
                           Value zeroPoints, int64_t gatherAxis, int64_t axis,
                           int64_t block) {
  Type byte = e.getInt(8, e.getElement(data).isUnsignedInteger());
  SmallVector<Value> operands = {e.cast(data, byte), scales};
  if (zeroPoints) {
    operands.push_back(e.cast(zeroPoints, byte));
  }
  Value table = e.create<IE::DequantizeLinearOp>(
      operands, {e.attr("axis", axis), e.attr("block_size", block)});
  e.setResults(e.gather(table, indices, gatherAxis));
}

/// Rows of a table of bytes, dequantized once they are gathered.
static void expandGatherBlockQuantized(Expander &e) {
  Value data = e.getRequiredInput(0, "data");
  Value indices = e.getRequiredInput(1, "indices");
  Value scales = e.getRequiredInput(2, "scales");
  Value zeroPoints = e.getInput(3);
  int64_t rank = e.getRank(data);
  int64_t gatherAxis = e.normalizeAxis(e.takeInt("gather_axis", 0), rank);
  int64_t axis = e.normalizeAxis(e.takeInt("quantize_axis", 1), rank);
  int64_t block = e.takeInt("block_size", 128);
  int64_t bits = e.takeInt("bits", 4);
  if (e.hasFailed() || !expectBits(e, bits)) {
    return;
  }
  if (block >= 1 && e.getElement(data).getIntOrFloatBitWidth() == 4) {
    return gatherFourBits(e, data, indices, scales, zeroPoints, gatherAxis,
                          axis, block);
  }
  if (gatherAxis != 0 || axis != rank - 1 || rank < 2 ||
      e.getElement(data) != e.getInt(8, /*isUnsigned=*/true)) {
    return e.reject(
        "other than integers of 4 bits and rows of bytes, quantized "
        "along their last dimension");
  }
  if (!e.expectRank(scales, rank, "scales") ||
      (zeroPoints && !e.expectRank(zeroPoints, rank, "zero_points"))) {
    return;
  }
  int64_t last = e.getStaticDim(data, axis, "data") * 8 / bits;
  int64_t blocks = e.getStaticDim(scales, axis, "scales");
  if (!e.hasFailed() && (block < 1 || (last + block - 1) / block != blocks)) {
    return e.fail("expected a scale for each block of " + Twine(block) +
                  " of " + Twine(last) + " elements, found " + Twine(blocks));
  }
  if (!e.hasFailed() && blocks * block != last) {
    return e.reject("a last block that is not whole");
  }
  Type element = e.getElement(scales);
  auto gather = [&](Value table) { return e.gather(table, indices, 0); };
  Value steps = unpackBits(e, gather(data), bits);
  if (e.hasFailed()) {
    return;
  }
  int64_t dims = e.getRank(steps);
  // (..., blocks, elements of a block)
  SmallVector<int64_t> split(dims - 1, 0), joined(dims - 1, 0);
  split.append({blocks, block});
  joined.push_back(last);
  Value zero;
  if (zeroPoints) {
    Value unpacked = unpackBits(e, gather(zeroPoints), bits);
    if (e.getDim(unpacked, -1) != blocks) {
      unpacked = e.slice(unpacked, dims - 1, 0, blocks);
    }
    zero = e.unsqueeze(e.cast(unpacked, element), dims);
  } else {
    zero = e.buildScalar(static_cast<double>(1 << (bits - 1)), element);
  }
  Value values = dequantizeBlocks(e, e.reshape(steps, split), zero,
                                  e.unsqueeze(gather(scales), dims));
  e.setResults(e.reshape(values, joined));
}

ArrayRef<ExpansionEntry> onnx_import::getContribMatMulExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"com.microsoft", "CDist", expandCDist},
      {"com.microsoft", "FusedConv", expandFusedConv},
      {"com.microsoft", "FusedGemm", expandFusedGemm},
      {"com.microsoft", "FusedMatMul", expandFusedMatMul},
      {"com.microsoft", "GatherBlockQuantized", expandGatherBlockQuantized},
      {"com.microsoft", "GemmFastGelu", expandGemmFastGelu},
      {"com.microsoft", "MatMulBnb4", expandMatMulBnb4},
      {"com.microsoft", "MatMulNBits", expandMatMulNBits},
      {"com.microsoft", "TransposeMatMul", expandFusedMatMul},
  };
  return kEntries;
}
