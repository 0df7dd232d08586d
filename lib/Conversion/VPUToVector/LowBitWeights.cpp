//===- LowBitWeights.cpp - Weights of few bits as f32 ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What limits a vector times a matrix of such weights is the instructions for
// each: one that looks four bits up is worth three that convert them.
//
//===----------------------------------------------------------------------===//

#include "LowBitWeights.h"

#include "RegisterTile.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Target/Features.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

/// The zero point of integers that have none of their own.
static int64_t getHalfRange(int64_t bits) { return int64_t(1) << (bits - 1); }

/// Tables that instructions look up, each lane for itself.
static constexpr int64_t kTableBits = 4, kPairTableBits = 5;

/// True where panels are as wide as registers with such a table, and the
/// machine has `feature`.
static bool hasTables(VPU::NCEMatMulNBitsOp op, StringRef feature) {
  constexpr int64_t kLanes = 16;
  VPU::ArchAttr arch = VPU::ArchAttr::lookup(op);
  return op.getBits() <= kTableBits && op.getPanelWidth() == kLanes &&
         hasFeature(arch.getTriple(), arch.getCpu(), arch.getFeatures(),
                    feature);
}

LowBitWeights::LowBitWeights(VPU::NCEMatMulNBitsOp op, KernelBuilder &kernel)
    : op(op), kernel(kernel),
      prefetchBytes(getKernelStrategy(op).getPrefetchBytes()) {
  int64_t codes = int64_t(1) << op.getBits(), half = getHalfRange(op.getBits());
  OpBuilder &b = kernel.builder;
  auto build = [&](Type element, const auto &values) -> Value {
    auto type = VectorType::get({static_cast<int64_t>(values.size())}, element);
    return arith::ConstantOp::create(
        b, kernel.loc, DenseElementsAttr::get(type, ArrayRef(values)));
  };
  if (hasTables(op, "avx512f")) {
    SmallVector<float> values;
    for (int64_t code = 0; code < int64_t(1) << kTableBits; ++code) {
      int64_t zero = op.getZeroPoint() ? 0 : half;
      values.push_back(static_cast<float>(code % codes - zero));
    }
    table = build(b.getF32Type(), values);
  }
  if (hasTables(op, "avx512bw")) {
    bool subtracts = op.getZeroPoint() && hasIntegerZeroPoints();
    SmallVector<int16_t> values;
    for (int64_t code = 0; code < int64_t(1) << kPairTableBits; ++code) {
      int64_t integer = subtracts ? llvm::SignExtend64<kPairTableBits>(code)
                                  : code % codes - half;
      auto bits = llvm::bit_cast<uint32_t>(static_cast<float>(integer));
      values.push_back(static_cast<int16_t>(bits >> 16));
    }
    pairTable = build(b.getI16Type(), values);
  }
}

Value LowBitWeights::splat(int64_t value, Type element) {
  return kernel.splat(static_cast<double>(value), kernel.fullLanes(), element);
}

Value LowBitWeights::splat(int64_t value) {
  return splat(value, kernel.builder.getI32Type());
}

void LowBitWeights::forEachPanels(
    int64_t most, llvm::function_ref<void(Value, int64_t, Lanes)> body) {
  int64_t columns = getShape(op.getInit())[2], lanes = kernel.machine.lanes;
  kernel.tiles(columns / lanes, most, [&](Value panel, int64_t panels) {
    body(panel, panels, kernel.fullLanes());
  });
  if (int64_t rest = columns % lanes) {
    body(kernel.index(columns / lanes), 1, Lanes{lanes, rest});
  }
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

static constexpr int64_t kWordBytes = 4;

void LowBitWeights::prefetchWords(Value panel, Value block, Value word,
                                  int64_t count) {
  if (prefetchBytes == 0) {
    return;
  }
  int64_t bytes = op.getPanelWidth() * kWordBytes;
  int64_t lineWords = std::max<int64_t>(VPU::kCacheLineBytes / bytes, 1);
  Value later = kernel.add(word, llvm::divideCeilSigned(prefetchBytes, bytes));
  for (int64_t i = 0; i < count; i += lineWords) {
    kernel.prefetch(op.getWeights(),
                    {panel, block, kernel.add(later, i), kernel.index(0)});
  }
}

void LowBitWeights::prefetch(Value panel, Value block) {
  if (prefetchBytes == 0) {
    return;
  }
  // Panels follow each other.
  int64_t words = op.getWeightsShape()[2];
  int64_t lineWords = std::max<int64_t>(
      VPU::kCacheLineBytes / (op.getPanelWidth() * kWordBytes), 1);
  int64_t blockBytes = words * op.getPanelWidth() * kWordBytes;
  Value later =
      kernel.add(block, llvm::divideCeilSigned(prefetchBytes, blockBytes));
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

bool LowBitWeights::hasIntegerZeroPoints() {
  return !op.getZeroPoint() || getElementType(op.getZeroPoint()).isInteger();
}

Value LowBitWeights::loadPairZeroPoint(Value panel, Value block) {
  bool isLoaded = op.getZeroPoint() && hasIntegerZeroPoints();
  if (!pairTable) {
    return isLoaded || (table && !op.getZeroPoint())
               ? loadZeroPoint(panel, block)
               : splat(getHalfRange(op.getBits()), kernel.builder.getF32Type());
  }
  if (!isLoaded) {
    return {};
  }
  constexpr int64_t kBoth = 0x00010001;
  return arith::MulIOp::create(kernel.builder, kernel.loc,
                               loadIntegerZeroPoint(panel, block),
                               splat(kBoth));
}

Value LowBitWeights::unpackPairs(Value words, int64_t position,
                                 Value zeroPoint) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  auto integers = cast<VectorType>(words.getType());
  VectorType floats = integers.clone(b.getF32Type());
  constexpr int64_t kHalfBits = 16;
  if (!pairTable) {
    // The upper half of an f32 is a bf16, and all of it for such integers.
    auto unpackBits = [&](int64_t i) -> Value {
      return arith::BitcastOp::create(b, loc, integers,
                                      unpack(words, i, zeroPoint));
    };
    Value low =
        arith::ShRUIOp::create(b, loc, unpackBits(position), splat(kHalfBits));
    Value high = arith::AndIOp::create(
        b, loc, unpackBits(position + op.getPerWord() / 2),
        splat(-(int64_t(1) << kHalfBits)));
    return arith::BitcastOp::create(b, loc, floats,
                                    arith::OrIOp::create(b, loc, low, high));
  }
  int64_t bits = op.getBits();
  if (position > 0) {
    words = arith::ShRUIOp::create(b, loc, words, splat(position * bits));
  }
  auto halves = VectorType::get({2 * kernel.machine.lanes}, b.getI16Type());
  auto split = [&](Value value) -> Value {
    return vector::BitCastOp::create(b, loc, halves, value);
  };
  if (zeroPoint) {
    int64_t mask = (int64_t(1) << bits) - 1;
    words =
        arith::AndIOp::create(b, loc, words, splat(mask << kHalfBits | mask));
    words = arith::SubIOp::create(b, loc, split(words), split(zeroPoint));
  } else {
    words = split(words);
  }
  Value pairs =
      LLVM::CallIntrinsicOp::create(
          b, loc, halves, b.getStringAttr("llvm.x86.avx512.permvar.hi.512"),
          ValueRange{pairTable, words})
          .getResult(0);
  return vector::BitCastOp::create(b, loc, floats, pairs);
}

Value LowBitWeights::loadCorrection(Value panel, Value block, Value scale) {
  OpBuilder &b = kernel.builder;
  Value missing = arith::SubFOp::create(
      b, kernel.loc,
      splat(getHalfRange(op.getBits()), kernel.builder.getF32Type()),
      loadZeroPoint(panel, block));
  return arith::MulFOp::create(b, kernel.loc, missing, scale);
}
