//===- JoinReductions.cpp - Rows reduced where they are computed ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax sums the exponentials that the loop before has stored. A loop that
// does both has them in registers, and adds them up while it computes others.
//
//===----------------------------------------------------------------------===//

#include "JoinReductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace nacre;

/// What a buffer is a view of, if that is known to overlap no other such value.
static Value getOwnBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    buffer = view.getViewSource();
  }
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    bool isOwn = function &&
                 function.getArgAttr(argument.getArgNumber(),
                                     LLVM::LLVMDialect::getNoAliasAttrName());
    return isOwn ? buffer : Value();
  }
  return buffer.getDefiningOp<memref::AllocOp>() ||
                 buffer.getDefiningOp<memref::AllocaOp>()
             ? buffer
             : Value();
}

static bool areApart(Value one, Value other) {
  Value own = getOwnBuffer(one), others = getOwnBuffer(other);
  return own && others && own != others;
}

static bool isBuffer(Value value) { return isa<MemRefType>(value.getType()); }

/// True where each buffer of `operands` is apart from `buffer`.
static bool areAllApart(ValueRange operands, Value buffer) {
  return llvm::all_of(operands, [&](Value operand) {
    return !isBuffer(operand) || areApart(operand, buffer);
  });
}

/// For each dimension of what `view` expands the one of the view that has its
/// elements; none where two of a group are longer than 1.
static std::optional<SmallVector<unsigned>>
getLongDims(memref::ExpandShapeOp view) {
  SmallVector<unsigned> dims;
  for (const ReassociationIndices &group : view.getReassociationIndices()) {
    SmallVector<int64_t> longOnes(
        llvm::make_filter_range(group, [&](int64_t dim) {
          return view.getResultType().getDimSize(dim) != 1;
        }));
    if (longOnes.size() > 1) {
      return std::nullopt;
    }
    dims.push_back(longOnes.empty() ? group.back() : longOnes.front());
  }
  return dims;
}

namespace {
/// A loop that stores what one behind it reduces.
struct Pair {
  linalg::GenericOp producer, reduction;
  unsigned input; // of the reduction
  /// For each loop of the producer the one of the reduction.
  SmallVector<unsigned> loops;
};
} // namespace

/// True where the body reads what the op's operands hand to it, and no memory
/// of its own accord.
static bool readsOperandsOnly(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(),
      [](Operation &inner) { return isMemoryEffectFree(&inner); });
}

/// True for an op that writes each element of one buffer, and reads none of it.
static bool isProducer(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() && op.getNumReductionLoops() == 0 &&
         op.getNumDpsInits() == 1 && !op.hasIndexSemantics() &&
         readsOperandsOnly(op) && op.getRegionOutputArgs()[0].use_empty() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

/// True where the body's last op takes the total so far and an element as they
/// are: LLVM vectorises such loops, and would do so with none that it does not
/// know how to reduce.
static bool accumulates(linalg::GenericOp op) {
  BlockArgument total = op.getRegionOutputArgs()[0];
  Operation *last =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  return last && total.hasOneUse() && *total.user_begin() == last &&
         isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp,
             arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp>(last);
}

/// True for an op that reduces rows.
static bool isReduction(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() && op.getNumReductionLoops() == 1 &&
         op.getNumDpsInits() == 1 && !op.hasIndexSemantics() &&
         readsOperandsOnly(op) &&
         op.getIteratorTypesArray().back() == utils::IteratorType::reduction &&
         accumulates(op);
}

/// True where the producer may run as late as the reduction, and each of its
/// steps beside one of that.
static bool mayRunTogether(const Pair &pair) {
  linalg::GenericOp producer = pair.producer;
  Value stored = producer.getDpsInits()[0];
  linalg::GenericOp reduction = pair.reduction;
  Value total = reduction.getDpsInits()[0];
  if (!areAllApart(producer->getOperands(), total) ||
      !areAllApart(producer.getInputs(), stored)) {
    return false;
  }
  for (auto [i, input] : llvm::enumerate(reduction.getInputs())) {
    if (i != pair.input && isBuffer(input) && !areApart(input, stored)) {
      return false;
    }
  }
  for (Operation *op = producer->getNextNode(); op != reduction;
       op = op->getNextNode()) {
    if (isMemoryEffectFree(op)) {
      continue;
    }
    auto other = dyn_cast<linalg::LinalgOp>(op);
    if (!other || !other.hasPureBufferSemantics() ||
        !readsOperandsOnly(other) ||
        !areAllApart(other->getOperands(), stored)) {
      return false;
    }
    for (Value written : other.getDpsInits()) {
      if (!areAllApart(producer.getInputs(), written)) {
        return false;
      }
    }
  }
  return true;
}

static std::optional<Pair> findPair(linalg::GenericOp reduction) {
  for (OpOperand *input : reduction.getDpsInputOperands()) {
    if (!reduction.getMatchingIndexingMap(input).isIdentity()) {
      continue;
    }
    Value stored = input->get();
    SmallVector<unsigned> loops =
        llvm::to_vector(llvm::seq<unsigned>(reduction.getNumLoops()));
    if (auto view = stored.getDefiningOp<memref::ExpandShapeOp>()) {
      std::optional<SmallVector<unsigned>> dims = getLongDims(view);
      if (!dims) {
        continue;
      }
      loops = *dims;
      stored = view.getSrc();
    }
    for (Operation *user : stored.getUsers()) {
      auto producer = dyn_cast<linalg::GenericOp>(user);
      if (!producer || producer->getBlock() != reduction->getBlock() ||
          !producer->isBeforeInBlock(reduction) || !isProducer(producer) ||
          producer.getDpsInits()[0] != stored || loops.empty() ||
          loops.back() + 1 != reduction.getNumLoops()) {
        continue;
      }
      Pair pair{producer, reduction, input->getOperandNumber(), loops};
      if (mayRunTogether(pair)) {
        return pair;
      }
    }
  }
  return std::nullopt;
}

/// One op in place of both.
static void join(RewriterBase &rewriter, const Pair &pair) {
  linalg::GenericOp producer = pair.producer, reduction = pair.reduction;
  MLIRContext *context = rewriter.getContext();
  SmallVector<AffineExpr> loops =
      llvm::map_to_vector(pair.loops, [&](unsigned loop) {
        return getAffineDimExpr(loop, context);
      });
  SmallVector<Value> inputs(producer.getInputs());
  SmallVector<AffineMap> maps;
  for (AffineMap map : producer.getIndexingMapsArray()) {
    maps.push_back(map.replaceDimsAndSymbols(loops, {}, reduction.getNumLoops(),
                                             /*numResultSyms=*/0));
  }
  AffineMap storedMap = maps.pop_back_val();
  for (auto [i, input] : llvm::enumerate(reduction.getInputs())) {
    if (i != pair.input) {
      inputs.push_back(input);
      maps.push_back(reduction.getIndexingMapsArray()[i]);
    }
  }
  Value outputs[] = {producer.getDpsInits()[0], reduction.getDpsInits()[0]};
  maps.push_back(storedMap);
  maps.push_back(reduction.getIndexingMapsArray().back());
  rewriter.setInsertionPoint(reduction);
  linalg::GenericOp::create(
      rewriter, rewriter.getFusedLoc({producer.getLoc(), reduction.getLoc()}),
      inputs, outputs, maps, reduction.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        IRMapping mapping;
        size_t own = producer.getNumDpsInputs();
        mapping.map(producer.getRegionInputArgs(), arguments.take_front(own));
        for (Operation &op : producer.getBody()->without_terminator()) {
          b.clone(op, mapping);
        }
        Value element = mapping.lookupOrDefault(
            producer.getBody()->getTerminator()->getOperand(0));
        size_t next = own;
        for (auto [i, argument] :
             llvm::enumerate(reduction.getRegionInputArgs())) {
          mapping.map(argument, i == pair.input ? element : arguments[next++]);
        }
        mapping.map(reduction.getRegionOutputArgs()[0], arguments.back());
        for (Operation &op : reduction.getBody()->without_terminator()) {
          b.clone(op, mapping);
        }
        Value total = mapping.lookupOrDefault(
            reduction.getBody()->getTerminator()->getOperand(0));
        linalg::YieldOp::create(b, loc, {element, total});
      });
  rewriter.eraseOp(reduction);
  rewriter.eraseOp(producer);
}

/// Rows of unknown length are long ones.
static bool areLong(linalg::GenericOp reduction, int64_t minElements) {
  int64_t length = reduction.getStaticLoopRanges().back();
  return ShapedType::isDynamic(length) || length >= minElements;
}

int64_t nacre::joinReductions(RewriterBase &rewriter, Operation *root,
                              int64_t minElements) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  int64_t numJoined = 0;
  for (linalg::GenericOp op : ops) {
    if (!isReduction(op) || !areLong(op, minElements)) {
      continue;
    }
    if (std::optional<Pair> pair = findPair(op)) {
      join(rewriter, *pair);
      ++numJoined;
    }
  }
  return numJoined;
}
