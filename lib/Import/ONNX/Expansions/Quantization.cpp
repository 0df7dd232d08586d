//===- Quantization.cpp - Expansions: linear quantization -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization by blocks and to stated types, as ONNX has it since operator set
// 21, in float8, float4 and integers of 4 and 2 bits, and with scales in
// float8: IE quantizes to 8 bits and more.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// A parameter of blocks of dimension `axis`, repeated for each element of the
/// input.
static Value repeatBlocks(Expander &e, Value parameter, Value input,
                          int64_t axis, int64_t block) {
  int64_t blocks = e.getStaticDim(parameter, axis, "scale");
  int64_t size = e.getStaticDim(input, axis, "input");
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

/// A parameter in a shape that broadcasts to the input's: it has one element,
/// or one for each index of dimension `axis`.
static Value alignParameter(Expander &e, Value parameter, Value input,
                            int64_t axis) {
  if (e.hasFailed() || e.getRank(parameter) != 1) {
    return parameter;
  }
  if (e.getDim(parameter, 0) == 1) {
    return e.reshape(parameter, {});
  }
  int64_t rank = e.getRank(input);
  axis = e.normalizeAxis(axis, rank);
  return e.unsqueeze(parameter,
                     llvm::to_vector(llvm::seq<int64_t>(1, rank - axis)));
}

/// The 8-bit integers that hold those of fewer bits; null for other types.
static Type getBytesFor(Expander &e, Type element) {
  auto integer = dyn_cast_if_present<IntegerType>(element);
  return integer && integer.getWidth() < 8 ? e.getInt(8, integer.isUnsigned())
                                           : Type();
}

namespace {

/// The inputs and attributes that both directions have.
struct Parameters {
  Value input, scale, zeroPoint;
  int64_t axis = 0, block = 0;
  Type outputType, scaleType;

  explicit Parameters(Expander &e)
      : input(e.getRequiredInput(0, "x")),
        scale(e.getRequiredInput(1, "scale")), zeroPoint(e.getInput(2)),
        axis(e.takeInt("axis", 1)), block(e.takeInt("block_size", 0)),
        outputType(e.takeType("output_dtype")) {
    if (block < 0) {
      e.fail("expected a 'block_size' that is not negative, found " +
             Twine(block));
    }
    if (!e.hasFailed()) {
      scaleType = e.getElement(scale);
      scale = IE::isSmallNumber(scaleType) ? e.cast(scale, e.getF32()) : scale;
    }
    if (!e.hasFailed() && zeroPoint && e.getRank(scale) == 0 &&
        e.getRank(zeroPoint) == 1) {
      int64_t size = e.getDim(zeroPoint, 0);
      if (size != 1 && !ShapedType::isDynamic(size)) {
        e.fail("expected one zero point beside one scale, found " +
               Twine(size));
      }
      zeroPoint = e.reshape(zeroPoint, {});
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
    int64_t size = e.getDim(input, axis), blocks = e.getDim(scale, axis);
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(blocks) &&
        blocks != IE::ceilDiv(size, block)) {
      e.fail("expected a scale for each block of " + Twine(block) + " of " +
             Twine(size) + " elements, found " + Twine(blocks));
    }
  }

  /// Gives parameters of blocks the input's shape.
  void spreadBlocks(Expander &e) {
    if (block == 0 || e.hasFailed()) {
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
  p.spreadBlocks(e);
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
  if (e.hasFailed()) {
    return;
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (integer ? integer.getWidth() > 16
              : !IE::isSmallNumber(type) || isa<Float8E8M0FNUType>(type)) {
    return e.reject("quantization to other types than float8 with a sign, "
                    "float4 and integers of 2, 4, 8 and 16 bits");
  }
  Type f32 = e.getF32();
  if (!integer) {
    Value number =
        e.div(e.cast(p.input, f32),
              e.cast(alignParameter(e, p.scale, p.input, p.axis), f32));
    if (p.zeroPoint) {
      number = e.add(
          number, e.cast(alignParameter(e, p.zeroPoint, p.input, p.axis), f32));
    }
    return e.setResults(e.create<IE::CastOp>(
        {number}, {e.attr("to", TypeAttr::get(type)),
                   e.attr("saturate", int64_t(saturate))}));
  }
  auto [low, high] = IE::getIntegerRange(integer);
  if (Type bytes = getBytesFor(e, type); bytes && p.block == 0) {
    // What saturates at 8 bits does at fewer.
    Value zero = p.zeroPoint ? e.cast(p.zeroPoint, bytes)
                             : e.expandLike(e.buildScalar(0, bytes), p.scale);
    Value wide = e.create<IE::QuantizeLinearOp>({p.input, p.scale, zero},
                                                {e.attr("axis", p.axis)});
    Value limited = e.clip(wide, e.buildScalar(static_cast<double>(low), bytes),
                           e.buildScalar(static_cast<double>(high), bytes));
    return e.setResults(e.cast(limited, type));
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
  Value steps = e.create<IE::RoundOp>(
      {e.div(e.cast(p.input, f32), e.cast(p.scale, f32))});
  if (p.zeroPoint) {
    steps = e.add(steps, e.cast(p.zeroPoint, f32));
  }
  Value limited = e.clip(steps, e.buildScalar(static_cast<double>(low), f32),
                         e.buildScalar(static_cast<double>(high), f32));
  e.setResults(e.cast(limited, type));
}

void onnx_import::expandDequantizeLinear(Expander &e) {
  Parameters p(e);
  if (e.hasFailed()) {
    return;
  }
  if (!p.outputType && IE::isSmallNumber(p.scaleType)) {
    return e.fail("expected an 'output_dtype' beside a scale of float8");
  }
  Type type = p.outputType ? p.outputType : p.scaleType;
  if (Type bytes = getBytesFor(e, e.getElement(p.input))) {
    p.input = e.cast(p.input, bytes);
    p.zeroPoint = p.zeroPoint ? e.cast(p.zeroPoint, bytes) : Value();
  }
  if (!isa<FloatType>(e.getElement(p.input))) {
    SmallVector<NamedAttribute> attributes = {e.attr("axis", p.axis)};
    if (p.block != 0) {
      attributes.push_back(e.attr("block_size", p.block));
      p.scale =
          type == e.getElement(p.scale) ? p.scale : e.cast(p.scale, e.getF32());
    }
    return e.setResults(e.cast(
        e.create<IE::DequantizeLinearOp>(p.getOperands(), attributes), type));
  }
  p.spreadBlocks(e);
  if (p.block == 0) {
    p.scale = alignParameter(e, p.scale, p.input, p.axis);
    p.zeroPoint =
        p.zeroPoint ? alignParameter(e, p.zeroPoint, p.input, p.axis) : Value();
  }
  if (e.hasFailed()) {
    return;
  }
  Type f32 = e.getF32();
  Value steps = e.cast(p.input, f32);
  if (p.zeroPoint) {
    steps = e.sub(steps, e.cast(p.zeroPoint, f32));
  }
  e.setResults(e.cast(e.mul(steps, e.cast(p.scale, f32)), type));
}
