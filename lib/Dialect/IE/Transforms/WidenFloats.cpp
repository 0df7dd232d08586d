//===- WidenFloats.cpp - The ie-widen-floats pass -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk from operands to results. Each op that computes floats of 16 bits is
// given f32, and its results are converted back by a Cast which says that it is
// implicit: what comes later reads the operand of the Cast instead, and a Cast
// that nothing reads goes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Precision.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Support/LocationVerifier.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace nacre::IE {
#define GEN_PASS_DEF_WIDENFLOATS
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using nacre::IE::FloatUse;

/// True for a tensor of f16 or bf16.
static bool isNarrow(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && IE::isFloatOf16Bits(tensor.getElementType());
}

static Type getWideType(Type type) {
  return cast<RankedTensorType>(type).clone(
      Float32Type::get(type.getContext()));
}

static Value buildCast(OpBuilder &builder, Location loc, Value value, Type type,
                       bool isImplicit) {
  auto cast = IE::CastOp::create(builder, loc, TypeRange(type), value,
                                 TypeAttr::get(getElementTypeOrSelf(type)));
  if (isImplicit) {
    abi::mark<abi::Implicit>(cast);
  }
  return cast.getResult();
}

/// The f32 that `value` is the rounded form of; null when there is none.
static Value findWide(Value value) {
  auto cast = value.getDefiningOp<IE::CastOp>();
  bool isRounded = cast && abi::has<abi::Implicit>(cast) &&
                   getElementTypeOrSelf(cast.getInput().getType()).isF32();
  return isRounded ? cast.getInput() : Value();
}

namespace {

class FloatWidening {
public:
  explicit FloatWidening(MLIRContext *context) : builder(context) {}

  /// True when the op's results became f32, or positions computed from it.
  bool widen(IE::PrecisionOpInterface op);

private:
  /// An operand of `user` in f32.
  Value getWide(Value value, Operation *user);
  /// True when operands that are computed in f32 are to be moved in it.
  static bool movesWide(ArrayRef<OpOperand *> operands);

  OpBuilder builder;
  /// What had no f32 before, and its conversion.
  DenseMap<Value, Value> converted;
};

} // namespace

Value FloatWidening::getWide(Value value, Operation *user) {
  if (Value wide = findWide(value)) {
    return wide;
  }
  Value &wide = converted[value];
  if (!wide) {
    // In the value's own block, where every later user sees it.
    Operation *first = value.getParentBlock()->findAncestorOpInBlock(*user);
    builder.setInsertionPoint(first);
    // Constants may have lost their place.
    Location loc =
        isTraceable(value.getLoc()) ? value.getLoc() : user->getLoc();
    wide = buildCast(builder, loc, value, getWideType(value.getType()),
                     /*isImplicit=*/false);
  }
  return wide;
}

bool FloatWidening::movesWide(ArrayRef<OpOperand *> operands) {
  bool isAnyWide = false;
  for (OpOperand *operand : operands) {
    bool isWide = findWide(operand->get()) != Value();
    // What is read from memory as it is, such as a cache of keys, is rather
    // moved so than made twice as large.
    if (!isWide && !operand->get().getDefiningOp<IE::ConstantOp>()) {
      return false;
    }
    isAnyWide |= isWide;
  }
  return isAnyWide;
}

/// True for an op that rearranges elements which then are computed with only.
/// Then it is rather a part of what computes: a product of a transposed matrix.
static bool isOnlyComputed(IE::PrecisionOpInterface op) {
  return op.getFloatUse() == FloatUse::Rearranges && !op->use_empty() &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           auto next = dyn_cast<IE::PrecisionOpInterface>(user);
           return next && (next.getFloatUse() == FloatUse::Computes ||
                           isOnlyComputed(next));
         });
}

bool FloatWidening::widen(IE::PrecisionOpInterface op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isNarrow(operand.get().getType())) {
      operands.push_back(&operand);
    }
  }
  FloatUse use = op.getFloatUse();
  bool moves = use == FloatUse::Moves || use == FloatUse::Rearranges;
  if (operands.empty() ||
      (moves && !movesWide(operands) && !isOnlyComputed(op))) {
    return false;
  }
  if (use == FloatUse::Reads) {
    for (OpOperand *operand : operands) {
      if (Value wide = findWide(operand->get())) {
        operand->set(wide);
      }
    }
    return false;
  }
  for (OpOperand *operand : operands) {
    operand->set(getWide(operand->get(), op));
  }
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    Type type = result.getType();
    if (!isNarrow(type)) {
      continue;
    }
    result.setType(getWideType(type));
    Value narrow = buildCast(builder, op->getLoc(), result, type,
                             /*isImplicit=*/true);
    result.replaceAllUsesExcept(narrow, narrow.getDefiningOp());
  }
  return true;
}

namespace {
struct WidenFloatsPass final
    : nacre::IE::impl::WidenFloatsBase<WidenFloatsPass> {
  void runOnOperation() override {
    // Collected first: conversions are inserted on the way.
    SmallVector<IE::PrecisionOpInterface> ops;
    getOperation().walk(
        [&](IE::PrecisionOpInterface op) { ops.push_back(op); });
    FloatWidening widening(&getContext());
    for (IE::PrecisionOpInterface op : ops) {
      numWidened += widening.widen(op);
    }
    getOperation().walk([](IE::CastOp cast) {
      if (abi::has<abi::Implicit>(cast) && cast.use_empty()) {
        cast.erase();
      }
    });
  }
};
} // namespace
