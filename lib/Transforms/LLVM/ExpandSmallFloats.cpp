//===- ExpandSmallFloats.cpp - The expand-small-floats pass ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's patterns without the rest of arith-expand: a floating-point
// maximum must stay one operation, which LLVM knows how to vectorise, unless it
// is one of floats of 16 bits.
//
// After them nothing computes with bf16 anymore: it is loaded, chosen, shuffled
// and stored, which the integers of its bits can be just as well.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Target/Features.h"
#include "nacre/Transforms/Passes.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/TargetParser/Triple.h"

#include <limits>

namespace nacre {
#define GEN_PASS_DEF_EXPANDSMALLFLOATS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

static bool isBFloat16(Value value) {
  return getElementTypeOrSelf(value).isBF16();
}

/// `op` with a result of f32 instead of 16 bits, and what rounds it.
static void roundTwice(PatternRewriter &rewriter, Operation *op) {
  Type type = op->getResultTypes().front();
  Type single = rewriter.getF32Type();
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    single = shaped.clone(single);
  }
  Operation *wide = rewriter.create(op->getLoc(), op->getName().getIdentifier(),
                                    op->getOperands(), single, op->getAttrs());
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, wide->getResult(0));
}

/// True for what LLVM finds out to be a number of 16 bits that became f32.
static bool isWidened(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto widening = dyn_cast_if_present<arith::ExtFOp>(op)) {
    return getElementTypeOrSelf(widening.getIn()).getIntOrFloatBitWidth() == 16;
  }
  if (auto choice = dyn_cast_if_present<arith::SelectOp>(op)) {
    return isWidened(choice.getTrueValue()) &&
           isWidened(choice.getFalseValue());
  }
  return isa_and_present<arith::MaximumFOp, arith::MinimumFOp>(op) &&
         llvm::all_of(op->getOperands(), isWidened);
}

/// True where bf16 is converted by instructions, not by shifts of its bits.
static bool convertsBFloat16(VPU::ArchAttr arch) {
  return arch && arch.getPack(BFloat16Type::get(arch.getContext())) > 1;
}

/// The types of 16 bits whose vectors LLVM takes apart to round their elements
/// to integers. On x86 these are the ones that instructions convert, without
/// arithmetic on them: AVX512-FP16 has such of f16. Others are rounded as f32,
/// as vectors, or cost more to convert in any case.
static SmallVector<Type> getTypesRoundedAlone(VPU::ArchAttr arch) {
  if (!arch || !llvm::Triple(arch.getTriple()).isX86()) {
    return {};
  }
  auto has = [&](StringRef feature) {
    return hasFeature(arch.getTriple(), arch.getCpu(), arch.getFeatures(),
                      feature);
  };
  SmallVector<Type> types;
  if (has("f16c") && !has("avx512fp16")) {
    types.push_back(Float16Type::get(arch.getContext()));
  }
  if (convertsBFloat16(arch)) {
    types.push_back(BFloat16Type::get(arch.getContext()));
  }
  return types;
}

namespace {
/// LLVM makes the maximum of two widened numbers one of 16 bits, which is then
/// computed element by element. Comparisons of them it vectorises.
template <typename OpT> struct CompareWidened final : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isMaximum = std::is_same_v<OpT, arith::MaximumFOp>;
    if (!llvm::all_of(op->getOperands(), isWidened)) {
      return rewriter.notifyMatchFailure(op, "not of 16 bits only");
    }
    Value lhs = op.getLhs(), rhs = op.getRhs();
    auto compare = [&](arith::CmpFPredicate predicate, Value with) -> Value {
      return arith::CmpFOp::create(rewriter, op.getLoc(), predicate, lhs, with);
    };
    // NaN wins: as the second operand for want of an order, as the first one
    // because it is asked for.
    Value isBetter = compare(
        isMaximum ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, rhs);
    Value isNaN = compare(arith::CmpFPredicate::UNO, lhs);
    Value takesFirst =
        arith::OrIOp::create(rewriter, op.getLoc(), isBetter, isNaN);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, takesFirst, lhs, rhs);
    return success();
  }
};

/// LLVM makes rounding a widened number to an integer, and the result back to
/// 16 bits, an operation on 16 bits. Of some types it is then computed element
/// by element. LLVM does not look through the sign, which is the number's own
/// in any case.
struct RoundWidenedToInteger final : OpRewritePattern<arith::TruncFOp> {
  RoundWidenedToInteger(MLIRContext *context, ArrayRef<Type> types)
      : OpRewritePattern(context), types(types) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Operation *rounding = op.getIn().getDefiningOp();
    if (!isa_and_present<math::CeilOp, math::FloorOp, math::RoundEvenOp,
                         math::RoundOp, math::TruncOp>(rounding) ||
        !getElementTypeOrSelf(op.getIn()).isF32() ||
        !llvm::is_contained(types, getElementTypeOrSelf(op.getType())) ||
        !isWidened(rounding->getOperand(0))) {
      return rewriter.notifyMatchFailure(
          op, "rounds no integer from a number that LLVM rounds alone");
    }
    Location loc = op.getLoc();
    Type type = rewriter.getI32Type();
    TypedAttr sign =
        rewriter.getI32IntegerAttr(std::numeric_limits<int32_t>::min());
    if (auto shaped = dyn_cast<ShapedType>(op.getIn().getType())) {
      type = shaped.clone(type);
      sign = DenseElementsAttr::get(cast<ShapedType>(type), Attribute(sign));
    }
    auto getBits = [&](Value value) -> Value {
      return arith::BitcastOp::create(rewriter, loc, type, value);
    };
    Value signs =
        arith::AndIOp::create(rewriter, loc, getBits(rounding->getOperand(0)),
                              arith::ConstantOp::create(rewriter, loc, sign));
    Value bits =
        arith::OrIOp::create(rewriter, loc, getBits(op.getIn()), signs);
    bits = arith::BitcastOp::create(rewriter, loc, op.getIn().getType(), bits);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), bits);
    return success();
  }

private:
  SmallVector<Type> types;
};

/// What is wider than f32 few machines round to 16 bits.
struct RoundDouble final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() != 16 ||
        !getElementTypeOrSelf(op.getIn()).isF64()) {
      return rewriter.notifyMatchFailure(op, "rounds no f64 to 16 bits");
    }
    roundTwice(rewriter, op);
    return success();
  }
};

/// What is wider than f32 is reached from bf16 by way of it, whose bits begin
/// with those of bf16.
struct WidenToDouble final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isBFloat16(op.getIn()) ||
        !getElementTypeOrSelf(op.getType()).isF64()) {
      return rewriter.notifyMatchFailure(op, "widens no bf16 to f64");
    }
    Type single = rewriter.getF32Type();
    if (auto shaped = dyn_cast<ShapedType>(op.getType())) {
      single = shaped.clone(single);
    }
    Value wide =
        arith::ExtFOp::create(rewriter, op.getLoc(), single, op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), wide);
    return success();
  }
};

template <typename OpT> struct RoundInteger final : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!isBFloat16(op)) {
      return rewriter.notifyMatchFailure(op, "gives no bf16");
    }
    roundTwice(rewriter, op);
    return success();
  }
};

} // namespace

/// Replaces bf16, and constants of it, in types and attributes.
static AttrTypeReplacer getBitsReplacer(MLIRContext *context) {
  AttrTypeReplacer replacer;
  Type bits = IntegerType::get(context, 16);
  replacer.addReplacement([=](BFloat16Type) -> Type { return bits; });
  replacer.addReplacement([=](FloatAttr value) -> std::optional<Attribute> {
    if (!value.getType().isBF16()) {
      return std::nullopt;
    }
    return IntegerAttr::get(bits, value.getValue().bitcastToAPInt());
  });
  replacer.addReplacement(
      [=](DenseElementsAttr value) -> std::optional<Attribute> {
        if (!value.getElementType().isBF16()) {
          return std::nullopt;
        }
        return value.bitcast(bits);
      });
  replacer.addReplacement(
      [=](DenseResourceElementsAttr value) -> std::optional<Attribute> {
        if (!value.getElementType().isBF16()) {
          return std::nullopt;
        }
        return DenseResourceElementsAttr::get(value.getType().clone(bits),
                                              value.getRawHandle());
      });
  return replacer;
}

/// Makes integers of all bf16 that is left. The pass runs before the conversion
/// to LLVM: no llvm.mlir.global and no llvm.func has bf16 here.
static void carryAsIntegers(ModuleOp module) {
  AttrTypeReplacer replacer = getBitsReplacer(module.getContext());
  auto replaceIn = [&](Operation *op) {
    replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  };
  // Of the module and its functions, other attributes say what the caller
  // sees.
  for (auto global : module.getOps<memref::GlobalOp>()) {
    replaceIn(global);
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    function.setFunctionType(
        cast<FunctionType>(replacer.replace(function.getFunctionType())));
    for (Block &block : function.getBody()) {
      for (BlockArgument argument : block.getArguments()) {
        argument.setType(replacer.replace(argument.getType()));
      }
      for (Operation &op : block) {
        replaceIn(&op);
      }
    }
  }
  module.walk([](arith::BitcastOp op) {
    if (op.getIn().getType() == op.getType()) {
      op.replaceAllUsesWith(op.getIn());
      op.erase();
    }
  });
}

namespace {
struct ExpandSmallFloatsPass final
    : nacre::impl::ExpandSmallFloatsBase<ExpandSmallFloatsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    VPU::ArchAttr arch = VPU::ArchAttr::lookup(getOperation());
    bool hasInstructions = convertsBFloat16(arch);
    if (!hasInstructions) {
      arith::populateExpandBFloat16Patterns(patterns);
      patterns.add<WidenToDouble>(&getContext());
    }
    patterns.add<RoundWidenedToInteger>(&getContext(),
                                        getTypesRoundedAlone(arch));
    patterns.add<CompareWidened<arith::MaximumFOp>,
                 CompareWidened<arith::MinimumFOp>, RoundDouble,
                 RoundInteger<arith::SIToFPOp>, RoundInteger<arith::UIToFPOp>>(
        &getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    auto isRoot = [](Operation *op) {
      return isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp,
                 arith::UIToFPOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
                 arith::FloorDivSIOp, arith::MaximumFOp, arith::MinimumFOp>(op);
    };
    if (failed(rewriteOps(getOperation(), std::move(patterns), isRoot))) {
      return signalPassFailure();
    }
    if (!hasInstructions) {
      carryAsIntegers(getOperation());
    }
  }
};
} // namespace
