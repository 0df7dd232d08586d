//===- NCECost.cpp - What NCE ops compute, and how fast -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiply-accumulates of the NCE ops, and which unit does how many at once.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

int64_t NCEConvolutionOp::getMacs() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  int64_t channels =
      getInputChannels().value_or(weights[1] * getInputBlockSize());
  return getTypicalNumElements(getInitType()) * weights[2] * weights[3] *
         channels;
}

int64_t NCEWinogradConvolutionOp::getMacs() {
  SmallVector<int64_t> out = getTypicalShape(getInitType().getShape());
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  int64_t tileSize = getTileSize();
  int64_t tiles = out[0] * llvm::divideCeilSigned(out[2], tileSize) *
                  llvm::divideCeilSigned(out[3], tileSize);
  return tiles * ShapedType::getNumElements(weights);
}

int64_t NCEDepthConvolutionOp::getMacs() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getTypicalNumElements(getInitType()) * weights[1] * weights[2];
}

int64_t NCEGroupConvolutionOp::getMacs() {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getTypicalNumElements(getInitType()) * weights[1] * weights[2] *
         getGroupSize();
}

int64_t NCEMatMulOp::getMacs() {
  int64_t reduction = getTypicalShape(shapedType(getLhs()).getShape())[2];
  return getTypicalNumElements(getInitType()) * reduction;
}

int64_t NCEMatMulNBitsOp::getMacs() {
  return getTypicalNumElements(getInitType()) * getDepth();
}

bool NCEMatMulNBitsOp::hasFewRows() {
  int64_t rows = getInitType().getDimSize(1);
  return !ShapedType::isDynamic(rows) && rows <= kFewRows;
}

bool NCEMatMulNBitsOp::fitsMatrixUnit(ArchAttr arch) {
  constexpr int64_t kWordBytes = 4;
  MatrixUnitAttr unit = arch.getMatrixUnit();
  return unit && unit.multiplies(BFloat16Type::get(getContext())) &&
         !hasFewRows() && unit.getRowBytes() == getPanelWidth() * kWordBytes;
}

bool NCEMatMulNBitsOp::canSumIntegers(ArchAttr arch) {
  // What sums products of bytes sums so many at a time.
  constexpr int64_t kBytePack = 4;
  Type byte = IntegerType::get(getContext(), 8);
  bool hasIntegers =
      !getZeroPoint() || shapedType(getZeroPoint()).getElementType() == byte;
  // The largest sum of a block.
  int64_t largest = getBlockSize() << (getBits() + 7);
  return arch.getPack(byte) == kBytePack && hasIntegers &&
         largest <= std::numeric_limits<int32_t>::max();
}

bool NCEMatMulNBitsOp::sumsIntegersOfAnyRows() {
  bool isOpen = ShapedType::isDynamic(getInitType().getDimSize(1));
  return static_cast<int64_t>(getIntegerRows()) > (isOpen ? kFewRows : 0);
}

template <typename PoolOp> static int64_t getPoolMacs(PoolOp op) {
  if (op.getKernel().empty()) {
    return getTypicalNumElements(shapedType(op.getInput()));
  }
  return getTypicalNumElements(op.getInitType()) * op.getKernel()[0] *
         op.getKernel()[1];
}

int64_t NCEMaxPoolOp::getMacs() { return getPoolMacs(*this); }
int64_t NCEAveragePoolOp::getMacs() { return getPoolMacs(*this); }

int64_t NCEEltwiseOp::getMacs() { return getTypicalNumElements(getInitType()); }

/// True when the architecture's matrix unit takes packs of `operand`, as many
/// in a row of a tile as there are lanes.
static bool takesPacks(ArchAttr arch, Value operand, int64_t pack) {
  Type type = shapedType(operand).getElementType();
  MatrixUnitAttr unit = arch.getMatrixUnit();
  return unit && unit.multiplies(type) && pack == arch.getPack(type) &&
         unit.getRowBytes() * 8 ==
             arch.getLanes() * pack * type.getIntOrFloatBitWidth();
}

bool NCEConvolutionOp::fitsMatrixUnit(ArchAttr arch) {
  return takesPacks(arch, getInput(), getPack()) &&
         getInitType().getDimSize(4) == arch.getLanes();
}

bool NCEMatMulOp::fitsMatrixUnit(ArchAttr arch) {
  constexpr int64_t kFewRows = 2, kShallow = 4;
  int64_t rows = getInitType().getDimSize(1);
  int64_t steps = shapedType(getRhs()).getDimSize(getDepthDim());
  return !getTransposed() && takesPacks(arch, getLhs(), getPack()) &&
         (ShapedType::isDynamic(rows) || rows > kFewRows) &&
         !ShapedType::isDynamic(steps) &&
         arch.getMatrixUnit().getDepth(steps) >= kShallow;
}

int64_t NCEMatMulOp::getStepPack(ArchAttr arch) {
  Type element = shapedType(getRhs()).getElementType();
  int64_t pack = hasByteRows() ? arch.getPack(element) : getPack();
  int64_t reduction = shapedType(getLhs()).getDimSize(2);
  return !ShapedType::isDynamic(reduction) && reduction % pack == 0 ? pack
                                                                    : getPack();
}

/// By vectors, or by a matrix unit, which takes packs as they are stored.
template <typename Op>
static int64_t getContractionRate(Op op, Value operand, int64_t pack,
                                  ArchAttr arch) {
  Type element = shapedType(operand).getElementType();
  return op.fitsMatrixUnit(arch) ? arch.getMatrixUnit().getMacsPerCycle(element)
                                 : arch.getVectorMacsPerCycle(element, pack);
}

int64_t NCEConvolutionOp::getMacsPerCycle(ArchAttr arch) {
  return getContractionRate(*this, getInput(), getPack(), arch);
}

int64_t NCEWinogradConvolutionOp::getMacsPerCycle(ArchAttr arch) {
  return arch.getVectorMacsPerCycle(shapedType(getInput()).getElementType(),
                                    getPack());
}

int64_t NCEGroupConvolutionOp::getMacsPerCycle(ArchAttr arch) {
  return arch.getVectorMacsPerCycle(shapedType(getWeights()).getElementType(),
                                    getPack());
}

int64_t NCEMatMulOp::getMacsPerCycle(ArchAttr arch) {
  return getContractionRate(*this, getLhs(), getStepPack(arch), arch);
}
