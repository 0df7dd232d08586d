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
                         bool /*bufferWeights*/) {
  // Far more than any machine has registers.
  constexpr int64_t kMost = 1024;
  for (int64_t size : {rows, columns, vectors}) {
    if (size < 1 || size > kMost) {
      return emitError() << "expected rows, columns and vectors of a register "
                            "tile from 1 to "
                         << kMost << ", found " << size;
    }
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

LogicalResult KernelStrategyAttr::verify(
    function_ref<InFlightDiagnostic()> emitError,
    ArrayRef<RegisterTileAttr> /*registers*/, bool /*prefetchWeights*/,
    int64_t prefetchBytes, StagedColumnsAttr /*stagedColumns*/,
    BorderDims /*skipBorder*/, MatrixTilesAttr /*matrixTiles*/,
    LowBitTileAttr /*lowBitTile*/) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (prefetchBytes < 0 || prefetchBytes > kMost) {
    return emitError() << "expected prefetchBytes of 31 bits, found "
                       << prefetchBytes;
  }
  return success();
}
