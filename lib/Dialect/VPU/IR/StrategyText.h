//===- StrategyText.h - Fields of a strategy as text ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `[1, 1, 2, ?, 1]` and `[producer]`: how #VPU.strategy counts parts and tiles,
// and names neighbours.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_IR_STRATEGYTEXT_H
#define NACRE_LIB_DIALECT_VPU_IR_STRATEGYTEXT_H

#include "nacre/Dialect/VPU/IR/VPUDialect.h"

#include "mlir/IR/OpImplementation.h"

namespace nacre::VPU {

/// A list of numbers, of which `?` is ShapedType::kDynamic.
mlir::FailureOr<llvm::SmallVector<int64_t>>
parseCounts(mlir::AsmParser &parser);
void printCounts(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> counts);

/// A list of names.
mlir::FailureOr<FusedNeighbours> parseNeighbours(mlir::AsmParser &parser);
void printNeighbours(mlir::AsmPrinter &printer, FusedNeighbours neighbours);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_IR_STRATEGYTEXT_H
