//===- LowBitWeights.cpp - Weights of few bits as f32 ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What limits a vector times a matrix of such weights is the instructions for
// each: one that looks four bits up is worth three that convert them.
//
//===----------------------------------------------------------------------===//

#include "LowBitWeights.h"

#include "nacre/Target/Features.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

/// The zero point of integers that have none of their own.
static int64_t getHalfRange(int64_t bits) { return int64_t(1) << (bits - 1); }

/// True where an instruction lets each of 16 lanes choose one of 16 numbers.
static bool hasTables(VPU::NCEMatMulNBitsOp op) {
  constexpr int64_t kLanes = 16;
  VPU::ArchAttr arch = VPU::ArchAttr::lookup(op);
  return arch && op.getPanelWidth() == kLanes &&
         hasFeature(arch.getTriple(), arch.getCpu(), arch.getFeatures(),
                    "avx512f");
}

LowBitWeights::LowBitWeights(VPU::NCEMatMulNBitsOp op, KernelBuilder &kernel)
    : op(op), kernel(kernel) {
  // The instruction reads the lowest four bits of a lane and no others.
  constexpr int64_t kTableBits = 4;
  int64_t bits = op.getBits();
  if (bits > kTableBits || !hasTables(op)) {
    return;
  }
  int64_t zero = op.getZeroPoint() ? 0 : getHalfRange(bits);
  SmallVector<float> values;
  for (int64_t code = 0; code < int64_t(1) << kTableBits; ++code) {
    int64_t integer = code % (int64_t(1) << bits);
    values.push_back(static_cast<float>(integer - zero));
  }
  auto type = VectorType::get({static_cast<int64_t>(values.size())},
                              kernel.builder.getF32Type());
  table = arith::ConstantOp::create(
      kernel.builder, kernel.loc,
      DenseElementsAttr::get(type, ArrayRef<float>(values)));
}

SmallVector<Value> LowBitWeights::locateParameter(Value panel, Value block) {
  int64_t shared = op.getBlocksPerScale();
  Value number = shared == op.getWeightsShape()[1] ? kernel.index(0)
                                                   : kernel.div(block, shared);
  return {panel, number, kernel.index(0)};
}

Value LowBitWeights::loadScale(Value panel, Value block) {
  return kernel.loadFloats(op.getScale(), locateParameter(panel, block),
                           kernel.fullLanes());
}

Value LowBitWeights::loadZeroPoint(Value panel, Value block) {
  if (op.getZeroPoint()) {
    return kernel.loadFloats(op.getZeroPoint(), locateParameter(panel, block),
                             kernel.fullLanes());
  }
  return table ? Value()
               : kernel.splat(static_cast<double>(getHalfRange(op.getBits())),
                              kernel.fullLanes());
}

Value LowBitWeights::loadIntegerZeroPoint(Value panel, Value block) {
  if (!op.getZeroPoint()) {
    return {};
  }
  OpBuilder &b = kernel.builder;
  Value bytes = kernel.load(op.getZeroPoint(), locateParameter(panel, block),
                            kernel.fullLanes());
  auto type = cast<VectorType>(bytes.getType()).clone(b.getI32Type());
  return arith::ExtUIOp::create(b, kernel.loc, type, bytes);
}

Value LowBitWeights::unpackBytes(Value words, int64_t group) {
  OpBuilder &b = kernel.builder;
  constexpr int64_t kByteBits = 8, kBytes = 4;
  int64_t bits = op.getBits();
  auto type = cast<VectorType>(words.getType());
  auto splat = [&](int64_t value) {
    return kernel.splat(static_cast<double>(value), kernel.fullLanes(),
                        type.getElementType());
  };
  if (group > 0) {
    words = arith::ShRUIOp::create(b, kernel.loc, words, splat(group * bits));
  }
  if (bits < kByteBits) {
    constexpr int64_t kEachByte = 0x01010101;
    int64_t mask = ((int64_t(1) << bits) - 1) * kEachByte;
    words = arith::AndIOp::create(b, kernel.loc, words, splat(mask));
  }
  return vector::BitCastOp::create(
      b, kernel.loc,
      VectorType::get({kBytes * type.getNumElements()}, b.getI8Type()), words);
}

void LowBitWeights::prefetch(Value panel, Value block) {
  // As many lines as a core waits for at a time: further ahead, they would come
  // before those that are needed. Panels follow each other.
  constexpr int64_t kLineBytes = 64, kDistance = 16 * kLineBytes;
  constexpr int64_t kWordBytes = 4;
  int64_t words = op.getWeightsShape()[2];
  int64_t lineWords =
      std::max<int64_t>(kLineBytes / (op.getPanelWidth() * kWordBytes), 1);
  int64_t blockBytes = words * op.getPanelWidth() * kWordBytes;
  Value later =
      kernel.add(block, llvm::divideCeilSigned(kDistance, blockBytes));
  Value zero = kernel.index(0);
  for (int64_t word = 0; word < words; word += lineWords) {
    kernel.prefetch(op.getWeights(), {panel, later, kernel.index(word), zero});
  }
  kernel.prefetch(op.getScale(), locateParameter(panel, later));
}

Value LowBitWeights::loadWords(Value panel, Value block, Value word) {
  return kernel.load(op.getWeights(), {panel, block, word, kernel.index(0)},
                     kernel.fullLanes());
}

Value LowBitWeights::unpack(Value words, int64_t position, Value zeroPoint) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  int64_t bits = op.getBits();
  auto integers = cast<VectorType>(words.getType());
  VectorType floats = integers.clone(b.getF32Type());
  auto splat = [&](int64_t value) {
    return kernel.splat(static_cast<double>(value), kernel.fullLanes(),
                        integers.getElementType());
  };
  if (position > 0) {
    words = arith::ShRUIOp::create(b, loc, words, splat(position * bits));
  }
  Value weights;
  if (table) {
    weights =
        LLVM::CallIntrinsicOp::create(
            b, loc, floats, b.getStringAttr("llvm.x86.avx512.permvar.sf.512"),
            ValueRange{table, words})
            .getResult(0);
  } else {
    if (position + 1 < op.getPerWord()) {
      words =
          arith::AndIOp::create(b, loc, words, splat((int64_t(1) << bits) - 1));
    }
    weights = arith::SIToFPOp::create(b, loc, floats, words);
  }
  return zeroPoint ? arith::SubFOp::create(b, loc, weights, zeroPoint)
                   : weights;
}
