//===- Quantization.cpp - Expansions: linear quantization -----------------===//
//
// Quantization by blocks and to stated types, as ONNX has it since operator set
// 21.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// A parameter of blocks of dimension `axis`, repeated for each element of the
/// input.
static Value repeatBlocks(Expander &e, Value parameter, Value input,
                          int64_t axis, int64_t block) {
  int64_t blocks = e.getStaticDim(parameter, axis, "scale");
  int64_t size = e.getStaticDim(input, axis, "input");
  if (!e.hasFailed() && blocks != IE::ceilDiv(size, block)) {
    e.fail("expected a scale for each block of " + Twine(block) + " of " +
           Twine(size) + " elements, found " + Twine(blocks));
  }
  if (e.hasFailed()) {
    return {};
  }
  SmallVector<int64_t> repeats(e.getRank(parameter) + 1, 1);
  repeats[axis + 1] = block;
  Value repeated = e.create<IE::TileOp>(
      {e.unsqueeze(parameter, axis + 1), e.buildInts(repeats)});
  // The other dimensions may be dynamic, those after it are counted from here.
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < e.getRank(parameter); ++i) {
    shape.push_back(i < axis    ? 0
                    : i == axis ? blocks * block
                                : e.getStaticDim(parameter, i, "scale"));
  }
  repeated = e.reshape(repeated, shape);
  return blocks * block == size ? repeated : e.slice(repeated, axis, 0, size);
}

namespace {

/// The inputs and attributes that both directions have.
struct Parameters {
  Value input, scale, zeroPoint;
  int64_t axis = 0, block = 0;
  Type outputType;

  explicit Parameters(Expander &e)
      : input(e.getRequiredInput(0, "x")),
        scale(e.getRequiredInput(1, "scale")), zeroPoint(e.getInput(2)),
        axis(e.takeInt("axis", 1)), block(e.takeInt("block_size", 0)),
        outputType(e.takeType("output_dtype")) {
    if (block < 0) {
      e.fail("expected a 'block_size' that is not negative, found " +
             Twine(block));
    }
    if (block == 0 || e.hasFailed()) {
      return;
    }
    int64_t rank = e.getRank(input);
    axis = e.normalizeAxis(axis, rank);
    if (!e.expectRank(scale, rank, "scale") ||
        (zeroPoint && !e.expectRank(zeroPoint, rank, "zero_point"))) {
      return;
    }
    scale = repeatBlocks(e, scale, input, axis, block);
    if (zeroPoint) {
      zeroPoint = repeatBlocks(e, zeroPoint, input, axis, block);
    }
  }

  /// The operands of an IE op that quantizes by tensors or dimensions.
  SmallVector<Value> getOperands() const {
    SmallVector<Value> operands = {input, scale};
    if (zeroPoint) {
      operands.push_back(zeroPoint);
    }
    return operands;
  }
};

} // namespace

void onnx_import::expandQuantizeLinear(Expander &e) {
  Parameters p(e);
  bool saturate = e.takeInt("saturate", 1) != 0;
  Type precision = e.takeType("precision");
  if (!e.hasFailed() && precision && !precision.isF32()) {
    return e.reject("division in a type other than float32 ('precision')");
  }
  Type type = p.zeroPoint    ? e.getElement(p.zeroPoint)
              : p.outputType ? p.outputType
                             : e.getInt(8, /*isUnsigned=*/true);
  if (p.outputType && p.outputType != type) {
    return e.fail("expected an 'output_dtype' that is the zero point's type");
  }
  auto integer = dyn_cast_if_present<IntegerType>(type);
  if (!e.hasFailed() && (!integer || integer.getWidth() > 16)) {
    return e.reject("quantization to other types than integers of 8 and 16 "
                    "bits");
  }
  if (e.hasFailed()) {
    return;
  }
  if (p.block == 0) {
    if (!p.zeroPoint) {
      Value zero = e.buildScalar(0, type);
      p.zeroPoint =
          e.getRank(p.scale) == 0 ? zero : e.expandLike(zero, p.scale);
    }
    return e.setResults(e.create<IE::QuantizeLinearOp>(
        p.getOperands(),
        {e.attr("axis", p.axis), e.attr("saturate", int64_t(saturate))}));
  }
  Type f32 = e.getF32();
  Value steps = e.create<IE::RoundOp>(
      {e.div(e.cast(p.input, f32), e.cast(p.scale, f32))});
  if (p.zeroPoint) {
    steps = e.add(steps, e.cast(p.zeroPoint, f32));
  }
  auto [low, high] = IE::getIntegerRange(integer);
  Value limited = e.clip(steps, e.buildScalar(static_cast<double>(low), f32),
                         e.buildScalar(static_cast<double>(high), f32));
  e.setResults(e.cast(limited, type));
}

void onnx_import::expandDequantizeLinear(Expander &e) {
  Parameters p(e);
  if (e.hasFailed()) {
    return;
  }
  Type type = p.outputType ? p.outputType : e.getElement(p.scale);
  if (p.block == 0) {
    return e.setResults(e.cast(e.create<IE::DequantizeLinearOp>(
                                   p.getOperands(), {e.attr("axis", p.axis)}),
                               type));
  }
  Type f32 = e.getF32();
  Value steps = e.cast(p.input, f32);
  if (p.zeroPoint) {
    steps = e.sub(steps, e.cast(p.zeroPoint, f32));
  }
  e.setResults(e.cast(e.mul(steps, e.cast(p.scale, f32)), type));
}
