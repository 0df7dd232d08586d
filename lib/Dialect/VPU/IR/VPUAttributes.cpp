//===- VPUAttributes.cpp - Attributes of the VPU dialect ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification and helpers of the VPU attributes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "StrategyText.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace nacre::VPU;

#define GET_ATTRDEF_CLASSES
#include "nacre/Dialect/VPU/IR/VPUAttributes.cpp.inc"

void VPUDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nacre/Dialect/VPU/IR/VPUAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

LogicalResult
LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                           function_ref<InFlightDiagnostic()> emitError) const {
  static constexpr std::pair<DimsOrder, size_t> ranks[] = {
      {DimsOrder::NCHW, 4}, {DimsOrder::NCHWc, 5}, {DimsOrder::KN, 3},
      {DimsOrder::NK, 3},   {DimsOrder::KNn, 4},
  };
  for (auto [order, rank] : ranks) {
    if (order == getOrder() && rank != shape.size()) {
      return emitError() << "expected rank " << rank << " for order "
                         << stringifyDimsOrder(order) << ", found "
                         << shape.size();
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// PPEAttr
//===----------------------------------------------------------------------===//

LogicalResult PPEAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              PPEMode mode, FloatAttr low, FloatAttr high,
                              FloatAttr slope, IntegerAttr zeroPoint) {
  bool isClamp = mode == PPEMode::CLAMP;
  if ((low || high) != isClamp) {
    return emitError() << (isClamp ? "expected" : "unexpected")
                       << " bounds with mode " << stringifyPPEMode(mode);
  }
  if (low && high && low.getValueAsDouble() > high.getValueAsDouble()) {
    return emitError() << "expected low <= high, found "
                       << low.getValueAsDouble() << " and "
                       << high.getValueAsDouble();
  }
  bool isSloped = mode == PPEMode::LRELU || mode == PPEMode::HSIGMOID ||
                  mode == PPEMode::SWISH || mode == PPEMode::ELU;
  if (static_cast<bool>(slope) != isSloped) {
    return emitError() << (isSloped ? "expected" : "unexpected")
                       << " slope with mode " << stringifyPPEMode(mode);
  }
  if (zeroPoint && (zeroPoint.getInt() < 0 || zeroPoint.getInt() > 255)) {
    return emitError() << "expected a zeroPoint in [0, 255], found "
                       << zeroPoint.getInt();
  }
  return success();
}

PPEAttr PPEAttr::getClamp(FloatType type, std::optional<double> low,
                          std::optional<double> high) {
  auto attr = [&](std::optional<double> value) {
    return value ? FloatAttr::get(type, *value) : FloatAttr();
  };
  return get(type.getContext(), PPEMode::CLAMP, attr(low), attr(high),
             FloatAttr(), IntegerAttr());
}

PPEAttr PPEAttr::getSloped(MLIRContext *context, PPEMode mode, double slope) {
  return get(context, mode, FloatAttr(), FloatAttr(),
             Builder(context).getF32FloatAttr(slope), IntegerAttr());
}

PPEAttr PPEAttr::getQuantizing(int64_t zeroPoint) const {
  return get(getContext(), getMode(), getLow(), getHigh(), getSlope(),
             Builder(getContext()).getI64IntegerAttr(zeroPoint));
}

double PPEAttr::getLowValue() const {
  return getLow() ? getLow().getValueAsDouble()
                  : -std::numeric_limits<double>::infinity();
}

double PPEAttr::getHighValue() const {
  return getHigh() ? getHigh().getValueAsDouble()
                   : std::numeric_limits<double>::infinity();
}

double PPEAttr::getSlopeValue() const {
  return getSlope() ? getSlope().getValueAsDouble() : 1.0;
}

//===----------------------------------------------------------------------===//
// ClusterAttr
//===----------------------------------------------------------------------===//

// One strategy maps one loop, so every mapping is the first of its kind.
int64_t ClusterAttr::getMappingId() const {
  return static_cast<int64_t>(getStrategy());
}

bool ClusterAttr::isLinearMapping() const { return false; }

int64_t ClusterAttr::getRelativeIndex() const { return getMappingId(); }

//===----------------------------------------------------------------------===//
// MatrixUnitAttr
//===----------------------------------------------------------------------===//

bool MatrixUnitAttr::multiplies(Type type) const {
  return llvm::is_contained(getElementTypes().getAsValueRange<TypeAttr>(),
                            type);
}

// Sums, and the packs that one step multiplies, have as many.
static constexpr int64_t kSumBits = 32;

LogicalResult
MatrixUnitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t tiles, int64_t rows, int64_t rowBytes,
                       ArrayAttr elementTypes) {
  // Two left tiles times two right ones.
  constexpr int64_t kLeastTiles = 8;
  if (tiles < kLeastTiles || rows < 1 || rowBytes < kSumBits / 8) {
    return emitError() << "expected at least " << kLeastTiles
                       << " tiles of at least one row of 4 bytes";
  }
  return success();
}

int64_t MatrixUnitAttr::getMacsPerCycle(Type type) const {
  int64_t rowBits = getRowBytes() * 8;
  return rowBits / kSumBits * (rowBits / type.getIntOrFloatBitWidth());
}

int64_t MatrixUnitAttr::getDepth(int64_t length) const {
  // A row of the left tile, a column of the right one.
  int64_t depth = std::min(getRows(), getRowBytes() * 8 / kSumBits);
  while (length % depth != 0) {
    --depth;
  }
  return depth;
}

//===----------------------------------------------------------------------===//
// ArchAttr
//===----------------------------------------------------------------------===//

ArchAttr ArchAttr::lookup(Operation *op) {
  for (; op; op = op->getParentOp()) {
    if (auto arch = op->getAttrOfType<ArchAttr>(moduleAttrName)) {
      return arch;
    }
  }
  return {};
}

ArchAttr ArchAttr::require(Operation *op) {
  ArchAttr arch = lookup(op);
  if (!arch) {
    op->emitError("expected an architecture on the module: run init-compiler");
  }
  return arch;
}

bool ArchAttr::supportsElementType(Type type) const {
  return llvm::is_contained(getElementTypes().getAsValueRange<TypeAttr>(),
                            type);
}

int64_t ArchAttr::getPack(Type type) const {
  std::string spelling;
  llvm::raw_string_ostream(spelling) << type;
  auto pack = getPacks().getAs<IntegerAttr>(spelling);
  return pack ? pack.getInt() : 1;
}

int64_t ArchAttr::getLanes(Type type) const {
  constexpr int64_t kLaneBits = 32;
  return getLanes() * kLaneBits /
         std::max<int64_t>(type.getIntOrFloatBitWidth(), kLaneBits);
}

int64_t ArchAttr::getVectorMacsPerCycle(Type type, int64_t pack) const {
  constexpr int64_t kVectorsPerCycle = 2;
  return kVectorsPerCycle * getLanes(type) * pack;
}

int64_t ArchAttr::getBlockSize(int64_t channels, Type type) const {
  return getBlockedChannels() ? getLanes(type) : channels;
}
