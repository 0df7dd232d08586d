//===- CacheTile.cpp - Tiles that a CPU's cache holds ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fewer rows make a smaller tile: all else of a part is in each of its tiles.
//
//===----------------------------------------------------------------------===//

#include "CacheTile.h"
#include "BlockFusion.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Bytes of what every tile reads: weights and what belongs to them.
static int64_t getConstantBytes(NCEOpInterface op) {
  int64_t bytes = 0;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    // A cluster's part of a constant is a slice of it.
    if (auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>()) {
      operand = slice.getSource();
    }
    if (type && matchPattern(operand, m_Constant())) {
      bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
    }
  }
  return bytes;
}

int64_t VPU::getTileBudget(NCEOpInterface op, ArchAttr arch, int64_t parts) {
  constexpr int64_t kWeightsPerTile = 8;
  return std::max(arch.getCmxBytes(),
                  getConstantBytes(op) / parts / kWeightsPerTile);
}

/// The bytes of a tile's activations.
static std::optional<int64_t> getActivationBytes(NCEOpInterface op,
                                                 NCEConvolutionOp widening,
                                                 ArrayRef<int64_t> tile) {
  std::optional<int64_t> bytes = getWorkingSet(op, tile);
  if (!bytes) {
    return std::nullopt;
  }
  *bytes -= getConstantBytes(op);
  if (widening) {
    // Of its input, only some blocks exist at a time.
    OpOperand &input = op->getOpOperand(0);
    int64_t width =
        cast<ShapedType>(input.get().getType()).getElementTypeBitWidth();
    *bytes += getBlockFusion(op, widening, tile).bytes -
              getOperandElements(op, input, tile).value_or(0) * width / 8;
  }
  return bytes;
}

SmallVector<int64_t> VPU::getProducerPart(NCEOpInterface op,
                                          NCEOpInterface producer,
                                          ArrayRef<int64_t> part) {
  SmallVector<int64_t> needed = getTypicalShape(getDestinationShape(producer));
  needed[0] = part[0];
  needed[op.getRowDim()] = part[op.getRowDim()];
  return needed;
}

std::optional<int64_t> VPU::getTileBytes(NCEOpInterface op,
                                         NCEOpInterface producer,
                                         NCEConvolutionOp widening,
                                         ArrayRef<int64_t> tile) {
  if (!producer) {
    return getActivationBytes(op, widening, tile);
  }
  SmallVector<int64_t> part = getProducerPart(op, producer, tile);
  std::optional<int64_t> bytes = getActivationBytes(op, {}, tile);
  std::optional<int64_t> more = getActivationBytes(producer, widening, part);
  if (!bytes || !more) {
    return std::nullopt;
  }
  // What the one writes is what the other reads. But without `widening`, rows
  // of about as many bytes pass through the cache on their way to being padded.
  if (widening) {
    int64_t width = getElementTypeOrSelf(producer->getResultTypes().front())
                        .getIntOrFloatBitWidth();
    *bytes -= ShapedType::getNumElements(part) * width / 8;
  }
  return *bytes + *more;
}

std::optional<RowBytes> VPU::getRowBytes(NCEOpInterface op,
                                         NCEOpInterface producer) {
  unsigned rowDim = op.getRowDim();
  SmallVector<int64_t> tile = getTypicalShape(getDestinationShape(op));
  tile[0] = 1;
  tile[rowDim] = 1;
  std::optional<int64_t> oneRow = getTileBytes(op, producer, {}, tile);
  tile[rowDim] = 2;
  std::optional<int64_t> twoRows = getTileBytes(op, producer, {}, tile);
  if (!oneRow || !twoRows) {
    return std::nullopt;
  }
  int64_t perRow = std::max<int64_t>(*twoRows - *oneRow, 1);
  return RowBytes{*oneRow - perRow, perRow};
}

static std::optional<SmallVector<int64_t>>
chooseRows(NCEOpInterface op, NCEOpInterface producer,
           NCEConvolutionOp widening, ArrayRef<int64_t> shape, ArchAttr arch) {
  SmallVector<int64_t> choice(shape);
  unsigned rowDim = op.getRowDim();
  int64_t budget = getTileBudget(op, arch);
  for (int64_t rows : getEvenTileSizes(shape[rowDim], op.getRowStep())) {
    choice[rowDim] = rows;
    std::optional<int64_t> bytes = getTileBytes(op, producer, widening, choice);
    if (!bytes || *bytes <= budget) {
      break;
    }
  }
  // A single row is too little for a register tile of many pixels.
  if (choice[rowDim] * choice[rowDim + 1] < arch.getPixels()) {
    return std::nullopt;
  }
  return choice;
}

std::optional<CacheTile> VPU::chooseCacheTile(NCEOpInterface op,
                                              NCEOpInterface producer,
                                              NCEConvolutionOp widening,
                                              ArrayRef<int64_t> shape,
                                              ArchAttr arch) {
  // What it takes to compute rows again, which tiles have in common, against
  // writing all of them to a cache of the next level and padding them.
  constexpr double kMostRecomputed = 1.3;
  if (auto rows = widening ? chooseRows(op, producer, widening, shape, arch)
                           : std::nullopt) {
    BlockFusion fusion =
        producer ? getBlockFusion(producer, widening,
                                  getProducerPart(op, producer, *rows))
                 : getBlockFusion(op, widening, *rows);
    if (fusion.recomputed <= kMostRecomputed) {
      return CacheTile{std::move(*rows), fusion.blocks};
    }
  }
  auto rows = chooseRows(op, producer, {}, shape, arch);
  return rows ? std::optional(CacheTile{std::move(*rows), 0}) : std::nullopt;
}
