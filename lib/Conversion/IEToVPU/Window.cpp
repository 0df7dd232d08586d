//===- Window.cpp - Windows over images -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's windows in the engine's terms: over rows and columns, with padding
// that is copied around the image. Where the size of an image is
// dynamic, its padding and the size of the result are computed from that.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;

/// True where padding follows from the size of the image.
static bool isSame(StringRef autoPad) { return autoPad.starts_with("SAME"); }

/// Splits padding as auto_pad asks for: SAME_UPPER puts the odd one at the end.
static std::pair<int64_t, int64_t> splitPadding(int64_t total,
                                                StringRef autoPad) {
  int64_t smaller = total / 2, larger = total - smaller;
  return autoPad == "SAME_UPPER" ? std::pair(smaller, larger)
                                 : std::pair(larger, smaller);
}

std::optional<Window2D> Window2D::get(const IE::Window &window,
                                      StringRef autoPad, bool ceilMode) {
  size_t rank = window.kernel.size();
  if (rank != 1 && rank != 2) {
    return std::nullopt;
  }
  Window2D result{{1, 1},       {1, 1},  {1, 1},  {1, 1},
                  {0, 0, 0, 0}, autoPad, ceilMode};
  for (size_t i = 0; i < rank; ++i) {
    size_t to = 2 - rank + i;
    result.kernel[to] = window.kernel[i];
    result.strides[to] = window.strides[i];
    result.dilations[to] = window.dilations[i];
    result.output[to] = window.output[i];
    int64_t begin = window.padsBegin[i], end = window.padsEnd[i];
    if (ShapedType::isDynamic(begin)) {
      // The most: windows that reach over the end by all but one element.
      std::tie(begin, end) =
          isSame(autoPad) ? splitPadding(result.getExtent(to) - 1, autoPad)
                          : std::pair(int64_t(0), int64_t(0));
    }
    if (begin < 0 || end < 0) {
      return std::nullopt;
    }
    // More padding than a window: ONNX drops one window that starts in it, of
    // however many there are.
    if (ceilMode && ShapedType::isDynamic(window.output[i]) &&
        end > result.getExtent(to)) {
      return std::nullopt;
    }
    result.pads[to] = begin;
    result.pads[to + 2] = end;
  }
  return result;
}

std::array<int64_t, 2> Window2D::getOverhang(ArrayRef<int64_t> image) const {
  std::array<int64_t, 2> overhang;
  for (size_t i : {0, 1}) {
    if (ShapedType::isDynamic(output[i])) {
      overhang[i] = ceilMode ? strides[i] - 1 : 0;
      continue;
    }
    int64_t needed = (output[i] - 1) * strides[i] + getExtent(i);
    overhang[i] =
        std::max<int64_t>(0, needed - (pads[i] + image[i] + pads[i + 2]));
  }
  return overhang;
}

namespace {

/// What windows do along one dimension of an image, `size` elements long.
class WindowSizes {
public:
  WindowSizes(OpBuilder &builder, Location loc, const Window2D &window,
              unsigned dim, OpFoldResult size)
      : builder(builder), loc(loc), window(window), dim(dim), size(size),
        d0(builder.getAffineDimExpr(0)), d1(builder.getAffineDimExpr(1)) {}

  OpFoldResult getOutput();

  /// True where the padding before the image depends on its size.
  bool movesPadding() {
    return !getConstantIntValue(size) && isSame(window.autoPad) &&
           window.strides[dim] > 1;
  }
  OpFoldResult getPadsBegin(OpFoldResult output);

private:
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(builder, loc, expr, operands);
  }

  OpBuilder &builder;
  Location loc;
  const Window2D &window;
  unsigned dim;
  OpFoldResult size;
  AffineExpr d0, d1;
};

} // namespace

OpFoldResult WindowSizes::getOutput() {
  if (!ShapedType::isDynamic(window.output[dim])) {
    return builder.getIndexAttr(window.output[dim]);
  }
  int64_t stride = window.strides[dim];
  if (isSame(window.autoPad)) {
    return apply(d0.ceilDiv(stride), {size});
  }
  int64_t begin = window.pads[dim], end = window.pads[dim + 2];
  int64_t extent = window.getExtent(dim);
  int64_t overhang = window.ceilMode ? stride - 1 : 0;
  Value fits = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sge,
      getValueOrCreateConstantIndexOp(
          builder, loc, apply(d0 + (begin + end + overhang), {size})),
      arith::ConstantIndexOp::create(builder, loc, extent));
  cf::AssertOp::create(builder, loc, fits,
                       "the window does not fit the padded input");
  AffineExpr rest = d0 + (begin + end - extent);
  if (!window.ceilMode) {
    return apply(rest.floorDiv(stride) + 1, {size});
  }
  // The last window must start inside the image or the padding before it.
  AffineMap map = AffineMap::get(
      1, 0, {rest.ceilDiv(stride) + 1, (d0 + begin).ceilDiv(stride)},
      builder.getContext());
  return affine::makeComposedFoldedAffineMin(builder, loc, map, {size});
}

OpFoldResult WindowSizes::getPadsBegin(OpFoldResult output) {
  if (!movesPadding()) {
    return builder.getIndexAttr(window.pads[dim]);
  }
  AffineExpr total =
      (d0 - 1) * window.strides[dim] + window.getExtent(dim) - d1;
  AffineMap map = AffineMap::get(
      2, 0, {total, builder.getAffineConstantExpr(0)}, builder.getContext());
  OpFoldResult padding =
      affine::makeComposedFoldedAffineMax(builder, loc, map, {output, size});
  return apply(window.autoPad == "SAME_UPPER" ? d0.floorDiv(2) : d0.ceilDiv(2),
               {padding});
}

WindowInput nacre::buildWindowInput(OpBuilder &builder, Location loc,
                                    Value value, BlockedLayout layout,
                                    const Window2D &window, Padding padding) {
  MixedSizes sizes = getImageSizes(builder, loc, value);
  WindowInput input;
  MixedSizes offsets(5, builder.getIndexAttr(0));
  bool moves = false;
  for (unsigned i : {0, 1}) {
    WindowSizes along(builder, loc, window, i, sizes[2 + i]);
    input.output.push_back(along.getOutput());
    input.padsBegin.push_back(along.getPadsBegin(input.output.back()));
    moves |= along.movesPadding();
    offsets[2 + i] = affine::makeComposedFoldedAffineApply(
        builder, loc, window.pads[i] - builder.getAffineDimExpr(0),
        {input.padsBegin.back()});
  }
  padding.sizes = window.pads;
  auto type = cast<RankedTensorType>(value.getType());
  std::array<int64_t, 2> overhang = window.getOverhang(
      VPU::getBlockedType(type, layout).getShape().slice(2, 2));
  padding.sizes[2] += overhang[0];
  padding.sizes[3] += overhang[1];
  input.value = buildBlocked(builder, loc, value, layout, padding);
  if (!moves) {
    input.border = padding.sizes;
    return input;
  }
  // Padded with the most there can be before the image, and read from where the
  // padding of this run starts.
  MixedSizes parts = getMixedSizes(builder, loc, input.value);
  for (unsigned dim : {2, 3}) {
    parts[dim] = affine::makeComposedFoldedAffineApply(
        builder, loc, builder.getAffineDimExpr(0) - builder.getAffineDimExpr(1),
        {parts[dim], offsets[dim]});
  }
  MixedSizes strides(5, builder.getIndexAttr(1));
  input.value = tensor::ExtractSliceOp::create(builder, loc, input.value,
                                               offsets, parts, strides);
  return input;
}
