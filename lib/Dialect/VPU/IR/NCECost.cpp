//===- NCECost.cpp - What NCE ops compute, and how fast -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiply-accumulates of the NCE ops, and which unit does how many at once.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

// What sums products of bytes sums so many at a time.
static constexpr int64_t kBytePack = 4;

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

/// True for a number of rows that are multiplied by weights in registers.
static bool areFewRows(NCEMatMulNBitsOp op) {
  int64_t rows = op.getInitType().getDimSize(1);
  return !ShapedType::isDynamic(rows) && rows <= NCEMatMulNBitsOp::kFewRows;
}

bool NCEMatMulNBitsOp::fitsMatrixUnit(ArchAttr arch) {
  constexpr int64_t kWordBytes = 4;
  MatrixUnitAttr unit = arch.getMatrixUnit();
  return unit && unit.multiplies(BFloat16Type::get(getContext())) &&
         !areFewRows(*this) &&
         unit.getRowBytes() == getPanelWidth() * kWordBytes;
}

/// True when the architecture multiplies such weights by rows of bytes.
static bool takesBytes(NCEMatMulNBitsOp op, ArchAttr arch) {
  Type byte = IntegerType::get(op.getContext(), 8);
  bool hasIntegers = !op.getZeroPoint() ||
                     shapedType(op.getZeroPoint()).getElementType() == byte;
  // The largest sum of a block.
  int64_t largest = op.getBlockSize() << (op.getBits() + 7);
  return arch.getPack(byte) == kBytePack && hasIntegers &&
         largest <= std::numeric_limits<int32_t>::max();
}

/// Instructions that make integers of a block of a row.
static int64_t countOfIntegerRow(NCEMatMulNBitsOp op, ArchAttr arch) {
  // The sums of a block's bytes are added up across a vector, one for each part
  // of its elements. All else is for each vector of elements, of which a word
  // of weights meets at least one. To make bytes of a longer one takes two.
  constexpr int64_t kPart = 24, kVector = 10, kPartOfVector = 2, kLongest = 8;
  auto parts = static_cast<int64_t>(op.getRowParts());
  int64_t vectors = op.getWeightsShape()[2] *
                    llvm::divideCeilSigned(op.getPerWord(),
                                           std::min(arch.getLanes(), kLongest));
  return parts * kPart + vectors * (kVector + parts * kPartOfVector);
}

/// True when it takes less to make integers of a row, and to multiply these,
/// than to multiply floats. The former is done once for all columns, so it
/// wants many of them.
static bool savesByIntegers(NCEMatMulNBitsOp op, ArchAttr arch) {
  int64_t panels = op.getWeightsShape()[0];
  int64_t rows = op.getInitType().getDimSize(1);
  int64_t blockSize = op.getBlockSize();
  // What a row and a vector of columns take of a block: of each part an
  // instruction for four products, and one that makes its sum a float; one for
  // the scale of the row and one for that of the weights.
  constexpr int64_t kScales = 2;
  auto parts = static_cast<int64_t>(op.getRowParts());
  int64_t ofIntegers =
      parts * llvm::divideCeilSigned(blockSize, kBytePack) + parts + kScales;
  // Of floats, an instruction for each element, and some to make a float of a
  // weight, once for all rows. Where rows are few, that is done beside their
  // products, and costs a part of it, and sums are added up and scaled; where
  // they are many, floats are scaled already, and read from memory.
  constexpr int64_t kUnpack = 3, kPartBesideProducts = 4, kSums = 2, kReads = 1;
  bool areFew = areFewRows(op);
  int64_t ofFloats = blockSize + (areFew ? kSums : kReads);
  if (ShapedType::isDynamic(panels)) {
    return ofIntegers < ofFloats;
  }
  int64_t ofUnpacking = 0;
  if (!ShapedType::isDynamic(rows)) {
    ofUnpacking = panels * blockSize * kUnpack / std::max<int64_t>(rows, 1);
  }
  if (areFew) {
    ofUnpacking /= kPartBesideProducts;
  }
  return countOfIntegerRow(op, arch) + panels * ofIntegers <
         panels * ofFloats + ofUnpacking;
}

bool NCEMatMulNBitsOp::sumsIntegers(ArchAttr arch) {
  return takesBytes(*this, arch) &&
         (!areFewRows(*this) || savesByIntegers(*this, arch));
}

bool NCEMatMulNBitsOp::sumsIntegersOfManyRows(ArchAttr arch) {
  return takesBytes(*this, arch) && !fitsMatrixUnit(arch) &&
         savesByIntegers(*this, arch);
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

template <typename Op>
static int64_t getContractionRate(Op op, Value operand, ArchAttr arch) {
  return op.fitsMatrixUnit(arch)
             ? arch.getMatrixUnit().getMacsPerCycle(
                   shapedType(operand).getElementType())
             : arch.getVectorMacsPerCycle(shapedType(operand).getElementType(),
                                          op.getPack());
}

int64_t NCEConvolutionOp::getMacsPerCycle(ArchAttr arch) {
  return getContractionRate(*this, getInput(), arch);
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
  return getContractionRate(*this, getLhs(), arch);
}
