//===- NarrowWeights.cpp - Weights of f32 in 16 bits ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of a model in f16 or bf16 are f32 by now, like all others, and
// may have been scaled meanwhile. Those that are still numbers of 16 bits take
// half the memory, and half the time to read, as such. vpu-pack-weights makes
// them that before it packs them.
//
//===----------------------------------------------------------------------===//

#include "NarrowWeights.h"
#include "Constants.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Support/ConstantReleaser.h"
#include "nacre/Target/Features.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// The bits of the f16 number that `value` is; nothing for another number, and
/// for those that are none. What llvm::APFloat converts without a loss, in a
/// fraction of its time: there may be a billion weights.
static std::optional<uint16_t> getHalf(float value) {
  constexpr int kBias = 127, kHalfBias = 15, kDropped = 13, kLeast = -14;
  constexpr uint32_t kHidden = 1U << 23;
  auto bits = llvm::bit_cast<uint32_t>(value);
  uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
  if (magnitude == 0) {
    return static_cast<uint16_t>(sign);
  }
  int exponent = static_cast<int>(magnitude >> 23) - kBias;
  uint32_t significand = (magnitude & (kHidden - 1)) | kHidden;
  // Below the least exponent, the significand has fewer digits.
  int shift = kDropped + std::max(kLeast - exponent, 0);
  if (exponent > kHalfBias || shift > 23 ||
      (significand & ((1U << shift) - 1)) != 0) {
    return std::nullopt;
  }
  // The leading digit counts as one of the exponent.
  uint32_t biased = exponent < kLeast ? 0 : exponent - kLeast;
  return static_cast<uint16_t>(sign + (biased << 10) + (significand >> shift));
}

/// The same for bf16, which has whatever f32 has.
static std::optional<uint16_t> getBFloat16(float value) {
  auto bits = llvm::bit_cast<uint32_t>(value);
  return (bits & 0xFFFF) != 0
             ? std::nullopt
             : std::optional(static_cast<uint16_t>(bits >> 16));
}

namespace {
/// A type of 16 bits, and how a number is written in it that it holds exactly.
struct Format {
  Type type;
  std::optional<uint16_t> (*convert)(float);
};
} // namespace

/// The formats that the machine makes f32 of by an instruction or two. Engines
/// that are modelled have none.
static SmallVector<Format> getFormats(ArchAttr arch) {
  if (arch.hasFixedFunctionNCE()) {
    return {};
  }
  MLIRContext *context = arch.getContext();
  Format bfloat16 = {BFloat16Type::get(context), getBFloat16};
  if (!extendsHalf(arch.getTriple(), arch.getCpu(), arch.getFeatures())) {
    return {bfloat16};
  }
  return {{Float16Type::get(context), getHalf}, bfloat16};
}

/// All values in 16 bits; nothing where one of them needs more.
static std::optional<AsmResourceBlob>
narrow(ArrayRef<float> values, std::optional<uint16_t> (*convert)(float)) {
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      values.size() * sizeof(uint16_t), /*align=*/64, /*dataIsMutable=*/true);
  auto *to = reinterpret_cast<uint16_t *>(blob.getMutableData().data());
  for (float value : values) {
    std::optional<uint16_t> bits = convert(value);
    if (!bits) {
      return std::nullopt;
    }
    *to++ = *bits;
  }
  return blob;
}

/// True for weights that a kernel reads for activations in f32.
static bool isWeights(OpOperand &use) {
  auto reads = [&](Value activations, OpOperand &weights) {
    return &use == &weights &&
           cast<ShapedType>(activations.getType()).getElementType().isF32();
  };
  return llvm::TypeSwitch<Operation *, bool>(use.getOwner())
      .Case<NCEConvolutionOp>([&](auto op) {
        return reads(op.getInput(), op.getWeightsMutable()) &&
               !isByWinograd(op);
      })
      .Case<NCEMatMulOp>(
          [&](auto op) { return reads(op.getLhs(), op.getRhsMutable()); })
      .Case<NCEMatMulNBitsOp>(
          [&](auto op) { return reads(op.getLhs(), op.getScaleMutable()); })
      .Default(false);
}

/// True for weights that only such kernels read, and one of them at least.
static bool areWeights(Value value) {
  return !value.use_empty() && llvm::all_of(value.getUses(), isWeights);
}

/// The elements in the first format that holds all of them exactly; null where
/// none does.
static ElementsAttr narrow(ArrayRef<float> values, ShapedType type,
                           ArrayRef<Format> formats) {
  for (const Format &format : formats) {
    if (std::optional<AsmResourceBlob> blob = narrow(values, format.convert)) {
      return DenseResourceElementsAttr::get(type.clone(format.type), "narrow",
                                            std::move(*blob));
    }
  }
  return {};
}

namespace {

struct NarrowConstant final : OpRewritePattern<arith::ConstantOp> {
  NarrowConstant(MLIRContext *context, ArrayRef<Format> formats, int64_t &count)
      : OpRewritePattern(context), formats(formats), count(count) {}

  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto values = dyn_cast<DenseF32ResourceElementsAttr>(op.getValue());
    std::optional<ArrayRef<float>> floats =
        values ? values.tryGetAsArrayRef() : std::nullopt;
    if (!floats || !areWeights(op)) {
      return rewriter.notifyMatchFailure(op, "needs weights of f32");
    }
    ElementsAttr result = narrow(*floats, values.getType(), formats);
    if (!result) {
      return rewriter.notifyMatchFailure(op, "needs more than 16 bits");
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(result));
    ++count;
    return success();
  }

  SmallVector<Format> formats;
  int64_t &count;
};

/// Weights that are yet to be packed. Whatever else reads the constant, such as
/// the table of embeddings that it also is, keeps it as it is.
struct NarrowPacked final : OpRewritePattern<PackWeightsOp> {
  NarrowPacked(MLIRContext *context, ArrayRef<Format> formats, int64_t &count)
      : OpRewritePattern(context), formats(formats), count(count) {}

  LogicalResult matchAndRewrite(PackWeightsOp op,
                                PatternRewriter &rewriter) const override {
    Value wide = op.getWeights();
    SmallVector<float, 0> storage;
    std::optional<ArrayRef<float>> floats;
    if (getElementTypeOrSelf(wide).isF32() && areWeights(op.getPacked())) {
      floats = getConstantFloats(wide, storage);
    }
    if (!floats) {
      return rewriter.notifyMatchFailure(op, "needs weights of f32");
    }
    ElementsAttr result = narrow(*floats, op.getWeights().getType(), formats);
    if (!result) {
      return rewriter.notifyMatchFailure(op, "needs more than 16 bits");
    }
    rewriter.setInsertionPointAfterValue(wide);
    Value constant = arith::ConstantOp::create(rewriter, wide.getLoc(),
                                               cast<TypedAttr>(result));
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<PackWeightsOp>(op, constant, op.getPacking());
    eraseIfDead(rewriter, wide);
    ++count;
    return success();
  }

  SmallVector<Format> formats;
  int64_t &count;
};

} // namespace

int64_t VPU::narrowWeights(ModuleOp module, ArchAttr arch,
                           RewriterBase::Listener *listener) {
  int64_t count = 0;
  RewritePatternSet patterns(module.getContext());
  patterns.add<NarrowConstant, NarrowPacked>(module.getContext(),
                                             getFormats(arch), count);
  walkAndApplyPatterns(module, std::move(patterns), listener);
  return count;
}
