//===- ReshapeResults.cpp - Memory of the shape that is given -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gives states and values of the runtime their memory compares types: an
// op that computes in another shape, as the engine multiplies matrices with a
// batch, would start from memory of that shape, which is copied at the end. So
// it starts from memory of the shape that is given, seen in its own. Of results
// of known size upstream does the same on buffers, which this comes before.
//
//===----------------------------------------------------------------------===//

#include "ResultBinding.h"

#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;
using IE::Sizes;

namespace {

/// The changes of shape behind the last computation of a result.
class Reshapes {
public:
  /// Those that end in `result`.
  explicit Reshapes(OpOperand &result) : first(&result) {
    while (isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
        first->get().getDefiningOp())) {
      ops.push_back(first->get().getDefiningOp());
      first = &ops.back()->getOpOperand(0);
    }
    std::reverse(ops.begin(), ops.end());
  }

  bool empty() const { return ops.empty(); }
  /// What the first of them reshapes.
  OpOperand &getFirst() const { return *first; }
  /// True where the sizes that they give are there before `place`.
  bool canBeAt(Operation *place, const DominanceInfo &dominance) const;
  /// A tensor of the last shape, seen in the first one, instead of `start`.
  Value buildStart(OpBuilder &builder, tensor::EmptyOp start) const;
  /// Memory of the last shape, seen in the first one, which `start` has.
  Value buildMemory(OpBuilder &builder, tensor::EmptyOp start,
                    Value memory) const;

private:
  SmallVector<Operation *> ops;
  OpOperand *first;
};

} // namespace

bool Reshapes::canBeAt(Operation *place, const DominanceInfo &dominance) const {
  return llvm::all_of(ops, [&](Operation *op) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
    return !expand || llvm::all_of(expand.getOutputShape(), [&](Value size) {
      return dominance.properlyDominates(size, place);
    });
  });
}

/// The sizes of `start`, and behind each of the reshapes of it.
static SmallVector<Sizes> buildSizes(OpBuilder &builder, tensor::EmptyOp start,
                                     ArrayRef<Operation *> ops) {
  Location loc = start.getLoc();
  SmallVector<Sizes> sizes = {start.getMixedSizes()};
  for (Operation *op : ops) {
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      sizes.push_back(expand.getMixedOutputShape());
      continue;
    }
    Sizes next;
    for (const ReassociationIndices &group :
         cast<tensor::CollapseShapeOp>(op).getReassociationIndices()) {
      Sizes factors = llvm::map_to_vector(
          group, [&](int64_t dim) { return sizes.back()[dim]; });
      next.push_back(IE::multiplySizes(builder, loc, factors));
    }
    sizes.push_back(next);
  }
  return sizes;
}

Value Reshapes::buildMemory(OpBuilder &builder, tensor::EmptyOp start,
                            Value memory) const {
  Location loc = start.getLoc();
  SmallVector<Sizes> sizes =
      buildSizes(builder, start, ArrayRef(ops).drop_back());
  for (Operation *op : llvm::reverse(ops)) {
    Sizes before = sizes.pop_back_val();
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      memory = memref::CollapseShapeOp::create(
          builder, loc, memory, expand.getReassociationIndices());
      continue;
    }
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    memory = memref::ExpandShapeOp::create(
        builder, loc, shape, memory,
        cast<tensor::CollapseShapeOp>(op).getReassociationIndices(), before);
  }
  return memory;
}

Value Reshapes::buildStart(OpBuilder &builder, tensor::EmptyOp start) const {
  Location loc = start.getLoc();
  SmallVector<Sizes> sizes = buildSizes(builder, start, ops);
  auto element = start.getType().getElementType();
  Value value = tensor::EmptyOp::create(builder, loc, sizes.back(), element);
  for (Operation *op : llvm::reverse(ops)) {
    sizes.pop_back();
    Type type = op->getOperand(0).getType();
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      value = tensor::CollapseShapeOp::create(
          builder, loc, cast<RankedTensorType>(type), value,
          expand.getReassociationIndices());
    } else {
      value = tensor::ExpandShapeOp::create(
          builder, loc, type, value,
          cast<tensor::CollapseShapeOp>(op).getReassociationIndices(),
          sizes.back());
    }
  }
  return value;
}

/// Returns true where it had another shape.
static bool reshape(OpOperand &result, const DominanceInfo &dominance) {
  Reshapes reshapes(result);
  if (reshapes.empty()) {
    return false;
  }
  // Where it is computed, if it is computed in place throughout. A part of a
  // tensor is not, even if it has its type.
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState analysis(options);
  llvm::SetVector<Value> origins = analysis.findValueInReverseUseDefChain(
      &reshapes.getFirst(), [](Value value) {
        return isa_and_present<tensor::EmptyOp, tensor::ExtractSliceOp>(
            value.getDefiningOp());
      });
  auto start = origins.size() == 1
                   ? origins.front().getDefiningOp<tensor::EmptyOp>()
                   : tensor::EmptyOp();
  if (!start || start.getType() != reshapes.getFirst().get().getType() ||
      !reshapes.canBeAt(start, dominance)) {
    return false;
  }
  OpBuilder builder(start);
  auto given =
      dyn_cast<bufferization::MaterializeInDestinationOp>(result.getOwner());
  auto memory = dyn_cast_if_present<MemRefType>(
      given ? given.getDest().getType() : Type());
  bool isInFront = memory && memory.getLayout().isIdentity() &&
                   dominance.properlyDominates(given.getDest(), start);
  if (isInFront) {
    // Otherwise nobody would see that it is this memory: what of dynamic sizes
    // has been reshaped there and back does not fold.
    given.getDestMutable().assign(
        reshapes.buildMemory(builder, start, given.getDest()));
    given.getSourceMutable().assign(reshapes.getFirst().get());
    return true;
  }
  start.replaceAllUsesWith(reshapes.buildStart(builder, start));
  start.erase();
  return true;
}

unsigned nacre::reshapeResults(func::FuncOp function,
                               const DominanceInfo &dominance) {
  unsigned count = 0;
  function->walk([&](Operation *op) {
    if (isa<func::ReturnOp>(op)) {
      for (OpOperand &result : op->getOpOperands()) {
        count += reshape(result, dominance);
      }
    } else if (auto given =
                   dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
      count += reshape(given.getSourceMutable(), dominance);
    }
  });
  return count;
}
