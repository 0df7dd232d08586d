//===- LowBitWeights.h - Weights of few bits as f32 -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of VPU.NCE.MatMulNBits, which are unpacked in registers: to f32,
// to bytes, or to pairs of bf16.
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

  /// Calls `body` for panels, at most `most` at a time: with the first, their
  /// number, and which of their columns the result has.
  void
  forEachPanels(int64_t most,
                llvm::function_ref<void(mlir::Value, int64_t, Lanes)> body);

  /// What the integers of a block are scaled with, for each column of a panel.
  mlir::Value loadScale(mlir::Value panel, mlir::Value block);
  /// What is subtracted from them before; null where unpack() does so already.
  mlir::Value loadZeroPoint(mlir::Value panel, mlir::Value block);
  /// The same as an integer; null where there is one for all columns.
  mlir::Value loadIntegerZeroPoint(mlir::Value panel, mlir::Value block);
  /// Four integers of each word as bytes: the one with the number of the group
  /// and those a quarter, a half and three quarters of a word after it.
  mlir::Value unpackBytes(mlir::Value words, int64_t group);
  /// Asks for what will be read `prefetchBytes` later to be in the cache then.
  void prefetch(mlir::Value panel, mlir::Value block);
  /// The same for `count` words from one on, as many lines ahead.
  void prefetchWords(mlir::Value panel, mlir::Value block, mlir::Value word,
                     int64_t count);
  /// A word for each column.
  mlir::Value loadWords(mlir::Value panel, mlir::Value block, mlir::Value word);
  /// The `position`-th integer of each word, less its zero point, as f32.
  mlir::Value unpack(mlir::Value words, int64_t position,
                     mlir::Value zeroPoint);

  /// True where zero points are integers, or half the range.
  bool hasIntegerZeroPoints();
  /// What is subtracted before pairs are; null where unpackPairs() does so
  /// already. Where zero points are no integers it is half the range, so that
  /// pairs are integers.
  mlir::Value loadPairZeroPoint(mlir::Value panel, mlir::Value block);
  /// The `position`-th integer of each word, and the one half a word after it,
  /// less their zero point, as two bf16 in the bits of an f32.
  mlir::Value unpackPairs(mlir::Value words, int64_t position,
                          mlir::Value zeroPoint);
  /// What the sum of a block's rows is multiplied by, where pairs lack that.
  mlir::Value loadCorrection(mlir::Value panel, mlir::Value block,
                             mlir::Value scale);

private:
  mlir::Value splat(int64_t value, mlir::Type element);
  mlir::Value splat(int64_t value);
  /// Where the scales and zero points of a block are.
  llvm::SmallVector<mlir::Value> locateParameter(mlir::Value panel,
                                                 mlir::Value block);

  VPU::NCEMatMulNBitsOp op;
  KernelBuilder &kernel;
  int64_t prefetchBytes; // how far ahead weights are asked for
  /// What each four bits stand for, where the machine looks that up.
  mlir::Value table;
  /// The same as bf16, for pairs: of five bits, of which the fifth is the sign
  /// where zero points are subtracted, else any.
  mlir::Value pairTable;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_LOWBITWEIGHTS_H
