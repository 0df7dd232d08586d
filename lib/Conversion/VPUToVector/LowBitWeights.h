//===- LowBitWeights.h - Weights of few bits as f32 -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of VPU.NCE.MatMulNBits, which are unpacked in registers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_LOWBITWEIGHTS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_LOWBITWEIGHTS_H

#include "KernelBuilder.h"

namespace nacre {

/// Reads the weights of one op. A panel is a machine vector wide.
class LowBitWeights {
public:
  LowBitWeights(VPU::NCEMatMulNBitsOp op, KernelBuilder &kernel);

  /// What the integers of a block are scaled with, for each column of a panel.
  mlir::Value loadScale(mlir::Value panel, mlir::Value block);
  /// What is subtracted from them before; null where unpack() does so already.
  mlir::Value loadZeroPoint(mlir::Value panel, mlir::Value block);
  /// The same as an integer; null where there is one for all columns.
  mlir::Value loadIntegerZeroPoint(mlir::Value panel, mlir::Value block);
  /// Four integers of each word as bytes: the one with the number of the group
  /// and those a quarter, a half and three quarters of a word after it.
  mlir::Value unpackBytes(mlir::Value words, int64_t group);
  /// Asks for what will be read some blocks later to be in the cache then.
  void prefetch(mlir::Value panel, mlir::Value block);
  /// A word for each column.
  mlir::Value loadWords(mlir::Value panel, mlir::Value block, mlir::Value word);
  /// The `position`-th integer of each word, less its zero point, as f32.
  mlir::Value unpack(mlir::Value words, int64_t position,
                     mlir::Value zeroPoint);

private:
  /// Where the scales and zero points of a block are.
  llvm::SmallVector<mlir::Value> locateParameter(mlir::Value panel,
                                                 mlir::Value block);

  VPU::NCEMatMulNBitsOp op;
  KernelBuilder &kernel;
  /// What each four bits stand for, where the machine looks that up.
  mlir::Value table;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_LOWBITWEIGHTS_H
