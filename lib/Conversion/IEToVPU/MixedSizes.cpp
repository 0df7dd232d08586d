//===- MixedSizes.cpp - Sizes of which a run may decide -------------------===//
//
// Operands of the engine agree in size, which the lowering has to see where
// only a run knows sizes.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "../IEToLinalg/Sizes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace nacre;

MixedSizes nacre::getMixedSizes(OpBuilder &builder, Location loc, Value value) {
  return getSizes(builder, loc, value);
}

/// True when two values are computed in the same way from the same ones.
static bool isSameValue(Value a, Value b, unsigned depth) {
  if (a == b) {
    return true;
  }
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  if (depth == 0 || !left || !right || !isPure(left) ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber()) {
    return false;
  }
  return OperationEquivalence::isEquivalentTo(
      left, right,
      [&](Value lhs, Value rhs) {
        return success(isSameValue(lhs, rhs, depth - 1));
      },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

bool nacre::isSameSize(OpFoldResult a, OpFoldResult b) {
  // Sizes are composed from those of arguments in few steps.
  constexpr unsigned kMaxDepth = 6;
  auto left = dyn_cast<Value>(a), right = dyn_cast<Value>(b);
  return left && right ? isSameValue(left, right, kMaxDepth)
                       : isEqualConstantIntOrValue(a, b);
}

namespace {
/// Removes what was built on the way to a decision.
struct Recorder final : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    built.push_back(op);
  }
  ~Recorder() override {
    for (Operation *op : llvm::reverse(built)) {
      op->erase();
    }
  }
  SmallVector<Operation *> built;
};
} // namespace

bool nacre::haveSameSizes(Operation *user, Value a, Value b) {
  if (a.getType() != b.getType()) {
    return false;
  }
  if (cast<RankedTensorType>(a.getType()).hasStaticShape()) {
    return true;
  }
  Recorder recorder;
  OpBuilder builder(user, &recorder);
  MixedSizes left = getMixedSizes(builder, user->getLoc(), a);
  MixedSizes right = getMixedSizes(builder, user->getLoc(), b);
  return llvm::all_of(llvm::zip_equal(left, right), [](auto pair) {
    return isSameSize(std::get<0>(pair), std::get<1>(pair));
  });
}
