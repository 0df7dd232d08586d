//===- MixedSizes.cpp - Sizes that may be dynamic -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of the engine agree in size, which the lowering has to see where
// sizes are dynamic. Those of what is left to software are traced, too.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"
#include "nacre/Dialect/IE/Utils/TensorSizes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace nacre;

namespace {

/// Sizes of values, traced through ops of IE and changes of layout to those of
/// their operands.
class GraphSizes final : public IE::SizeBuilder {
public:
  using SizeBuilder::SizeBuilder;

  OpFoldResult getSize(Value tensor, int64_t dim) override {
    return IE::getSize(builder, loc, tensor, dim, [&](Value of, int64_t i) {
      return getResultSize(of, i);
    });
  }

private:
  /// Null where sizes of operands alone do not tell.
  OpFoldResult getResultSize(Value tensor, int64_t dim);
  OpFoldResult getRows(VPU::ToMatricesOp op);

  DenseMap<Value, SmallVector<OpFoldResult>> known;
  unsigned depth = 0;
};

} // namespace

/// True when no operand can be a shape, axes or the like that is no constant.
static bool hasKnownParameters(Operation *op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    return (type && type.getRank() > 1) || IE::getConstantElements(operand);
  });
}

OpFoldResult GraphSizes::getResultSize(Value tensor, int64_t dim) {
  if (auto it = known.find(tensor); it != known.end()) {
    return it->second[dim];
  }
  if (auto [source, sourceDim] = VPU::getSameDim(tensor, dim); source) {
    return getSize(source, sourceDim);
  }
  if (auto from = tensor.getDefiningOp<VPU::FromMatricesOp>()) {
    return from.getMixedSizes()[dim];
  }
  if (auto to = tensor.getDefiningOp<VPU::ToMatricesOp>()) {
    return getRows(to);
  }
  // Further away nobody shares a size anymore.
  constexpr unsigned kMaxDepth = 32;
  auto op = tensor.getDefiningOp<IE::SizesOpInterface>();
  if (!op || depth == kMaxDepth || !hasKnownParameters(op)) {
    return {};
  }
  // Where an op is, the sizes of its results are.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(op);
  ReifiedRankedShapedTypeDims results;
  ++depth;
  LogicalResult built = op.buildSizes(*this, results);
  --depth;
  if (failed(built)) {
    return {};
  }
  for (auto [result, sizes] : llvm::zip_equal(op->getResults(), results)) {
    known[result] = sizes;
  }
  return known[tensor][dim];
}

static MixedSizes getSizesOf(GraphSizes &graph, Value value) {
  MixedSizes sizes;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    sizes.push_back(graph.getSize(value, dim));
  }
  return sizes;
}

OpFoldResult GraphSizes::getRows(VPU::ToMatricesOp op) {
  MixedSizes sizes = getSizesOf(*this, op.getValue());
  return IE::multiplySizes(builder, loc, ArrayRef(sizes).drop_back());
}

MixedSizes nacre::getMixedSizes(OpBuilder &builder, Location loc, Value value) {
  GraphSizes graph(builder, loc);
  return getSizesOf(graph, value);
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

bool nacre::areComputedAlike(OpFoldResult a, OpFoldResult b) {
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
  GraphSizes graph(builder, user->getLoc());
  MixedSizes left = getSizesOf(graph, a);
  MixedSizes right = getSizesOf(graph, b);
  return llvm::all_of(llvm::zip_equal(left, right), [](auto pair) {
    return areComputedAlike(std::get<0>(pair), std::get<1>(pair));
  });
}
