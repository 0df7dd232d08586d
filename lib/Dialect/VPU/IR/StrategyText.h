//===- StrategyText.h - Fields of a strategy as text ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `[1, 1, 2, ?, 1]`, `[producer]` and `[<columns = 14>]`: how #VPU.strategy
// counts parts and tiles, names neighbours, and has register tiles.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_IR_STRATEGYTEXT_H
#define NACRE_LIB_DIALECT_VPU_IR_STRATEGYTEXT_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/IR/OpImplementation.h"

namespace nacre::VPU {

/// A list of numbers, of which `?` is ShapedType::kDynamic.
mlir::FailureOr<llvm::SmallVector<int64_t>>
parseCounts(mlir::AsmParser &parser);
void printCounts(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> counts);

/// Lists of names.
mlir::FailureOr<FusedNeighbours> parseNeighbours(mlir::AsmParser &parser);
void printNeighbours(mlir::AsmPrinter &printer, FusedNeighbours neighbours);

mlir::FailureOr<BorderDims> parseBorderDims(mlir::AsmParser &parser);
void printBorderDims(mlir::AsmPrinter &printer, BorderDims dims);

/// A list of register tiles.
mlir::FailureOr<llvm::SmallVector<RegisterTileAttr>>
parseRegisterTiles(mlir::AsmParser &parser);
void printRegisterTiles(mlir::AsmPrinter &printer,
                        llvm::ArrayRef<RegisterTileAttr> tiles);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_IR_STRATEGYTEXT_H
