//===- KernelStrategy.cpp - What a kernel's code depends on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text and the verification of #VPU.kernel_strategy and of its tiles.
//
//===----------------------------------------------------------------------===//

#include "StrategyText.h"
#include "nacre/Dialect/VPU/IR/LowBitTiles.h"
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

FailureOr<SmallVector<RegisterTileAttr>>
VPU::parseRegisterTiles(AsmParser &parser) {
  SmallVector<RegisterTileAttr> tiles;
  auto parseTile = [&]() -> ParseResult {
    FailureOr<RegisterTileAttr> tile =
        FieldParser<RegisterTileAttr>::parse(parser);
    if (succeeded(tile)) {
      tiles.push_back(*tile);
    }
    return success(succeeded(tile));
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            parseTile))) {
    return failure();
  }
  return tiles;
}

void VPU::printRegisterTiles(AsmPrinter &printer,
                             ArrayRef<RegisterTileAttr> tiles) {
  printer << '[';
  llvm::interleaveComma(tiles, printer.getStream(), [&](RegisterTileAttr tile) {
    printer.printStrippedAttrOrType(tile);
  });
  printer << ']';
}

LogicalResult
RegisterTileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         int64_t rows, int64_t columns, int64_t vectors,
                         bool /*bufferWeights*/, bool /*widenRows*/,
                         int64_t steps) {
  // Far more than any machine has registers.
  constexpr int64_t kMost = 1024;
  for (int64_t size : {rows, columns, vectors}) {
    if (size < 1 || size > kMost) {
      return emitError() << "expected rows, columns and vectors of a register "
                            "tile from 1 to "
                         << kMost << ", found " << size;
    }
  }
  if (steps < 0) {
    return emitError() << "expected steps of a register tile from 0, found "
                       << steps;
  }
  return success();
}

LogicalResult
LowBitTileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t stepWords, int64_t pieceWords, int64_t rowTiles,
                       int64_t panels, int64_t pieces) {
  for (int64_t size : {stepWords, pieceWords, rowTiles, panels, pieces}) {
    if (size < 1 || size > std::numeric_limits<int32_t>::max()) {
      return emitError() << "expected positive sizes of 31 bits, found "
                         << size;
    }
  }
  if (pieceWords % stepWords != 0) {
    return emitError() << "expected stepWords to divide pieceWords, found "
                       << stepWords << " and " << pieceWords;
  }
  // Far more than any cache holds tiles for.
  constexpr int64_t kMost = 1024;
  if (rowTiles > kMost || panels > kMost) {
    return emitError() << "expected at most " << kMost
                       << " rowTiles and panels, found " << rowTiles << " and "
                       << panels;
  }
  if (rowTiles % LowBitTiles::kPair != 0 || panels % LowBitTiles::kPair != 0) {
    return emitError() << "expected even numbers of rowTiles and panels, found "
                       << rowTiles << " and " << panels;
  }
  return success();
}

LogicalResult
MatrixTilesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        bool joinRows, int64_t pieces, int64_t windowRows,
                        int64_t stripTiles, bool pixelsFirst,
                        bool streamRight) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  bool areSizes =
      llvm::all_of(ArrayRef<int64_t>{pieces, windowRows, stripTiles},
                   [&](int64_t size) { return size >= 0 && size <= kMost; });
  if (pieces == 0 || !areSizes) {
    return emitError()
           << "expected sizes of 31 bits and at least one of pieces, found "
           << pieces << ", windowRows = " << windowRows
           << " and stripTiles = " << stripTiles;
  }
  if (windowRows > 0 && (pieces > 1 || joinRows)) {
    return emitError() << "expected no " << (joinRows ? "joinRows" : "pieces")
                       << " with windowRows = " << windowRows;
  }
  bool copies = pieces > 1 || windowRows > 0;
  if (copies != (stripTiles > 0)) {
    return emitError() << "expected stripTiles exactly with more than one of "
                          "pieces, or with windowRows, found "
                       << stripTiles << ", " << pieces << " and " << windowRows;
  }
  if (copies && (pixelsFirst || streamRight)) {
    return emitError() << "expected no "
                       << (pixelsFirst ? "pixelsFirst" : "streamRight")
                       << " with stripTiles = " << stripTiles;
  }
  return success();
}

LogicalResult
StagedColumnsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          int64_t inputs, int64_t outputs) {
  if (inputs < 0 || outputs < 0) {
    return emitError() << "expected no negative numbers of staged columns, "
                          "found inputs = "
                       << inputs << " and outputs = " << outputs;
  }
  return success();
}

LogicalResult
ByteProductAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t perLane, int64_t rows, int64_t columns,
                        bool /*rowsInside*/, bool byParts) {
  if (perLane != kWords && perLane != kBytes) {
    return emitError() << "expected perLane to be " << kWords << " or "
                       << kBytes << ", found " << perLane;
  }
  // Each of them is code.
  constexpr int64_t kMostRows = 64;
  if (rows < perLane || rows > kMostRows || rows % perLane != 0) {
    return emitError() << "expected rows to be a multiple of perLane = "
                       << perLane << " up to " << kMostRows << ", found "
                       << rows;
  }
  if (columns < 1 || columns > std::numeric_limits<int32_t>::max()) {
    return emitError() << "expected a positive number of columns of 31 bits, "
                          "found "
                       << columns;
  }
  if (byParts && perLane != kBytes) {
    return emitError() << "expected perLane = " << kBytes
                       << " with byParts, found " << perLane;
  }
  return success();
}

LogicalResult
KernelLoopsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t innermost, int64_t unrolled, int64_t blockEdge,
                        ByteProductAttr byteProduct, bool joinStored) {
  if (innermost < -1 || unrolled < -1) {
    return emitError() << "expected numbers of loops from 0, found innermost = "
                       << innermost << " and unrolled = " << unrolled;
  }
  if (unrolled >= 0 && (innermost < 0 || innermost == unrolled)) {
    return emitError() << "expected another innermost loop with unrolled = "
                       << unrolled << ", found " << innermost;
  }
  // Blocks of more vectors would not fit the registers of any machine.
  constexpr int64_t kMostEdge = 64;
  if (blockEdge != 0 && (blockEdge < 2 || blockEdge > kMostEdge ||
                         !llvm::isPowerOf2_64(blockEdge))) {
    return emitError() << "expected blockEdge to be a power of two from 2 to "
                       << kMostEdge << ", found " << blockEdge;
  }
  int forms = (innermost >= 0 ? 1 : 0) + (blockEdge != 0 ? 1 : 0) +
              (byteProduct ? 1 : 0) + (joinStored ? 1 : 0);
  if (forms > 1) {
    return emitError() << "expected one of innermost, blockEdge, byteProduct "
                          "and joinStored";
  }
  return success();
}

LogicalResult KernelStrategyAttr::verify(
    function_ref<InFlightDiagnostic()> emitError,
    ArrayRef<RegisterTileAttr> registers, bool prefetchWeights,
    int64_t prefetchBytes, bool prefetchPixels, StagedColumnsAttr stagedColumns,
    BorderDims skipBorder, bool rollWindow, MatrixTilesAttr matrixTiles,
    LowBitTileAttr lowBitTile, KernelLoopsAttr loops) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (prefetchBytes < 0 || prefetchBytes > kMost) {
    return emitError() << "expected prefetchBytes of 31 bits, found "
                       << prefetchBytes;
  }
  bool isOfEngine = !registers.empty() || prefetchWeights ||
                    prefetchBytes != 0 || prefetchPixels || stagedColumns ||
                    skipBorder != BorderDims::none || rollWindow ||
                    matrixTiles || lowBitTile;
  if (loops && isOfEngine) {
    return emitError() << "expected loops alone: they are of software kernels, "
                          "and the other fields of ops of the engine";
  }
  return success();
}
