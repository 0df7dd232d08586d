//===- MergeMatMuls.cpp - The ie-merge-matmuls pass -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of one operand with several constant matrices, as the queries, keys
// and values of attention, are one product with all of their columns. The
// matrices are joined by Concat, which ie-constant-fold evaluates. A product
// has enough columns then for all cores, however few its rows are.
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

namespace nacre::IE {
#define GEN_PASS_DEF_MERGEMATMULS
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// Columns of which register tiles of all architectures are whole parts: where
/// one matrix ends in the middle of a tile, the next would begin there.
static constexpr int64_t kTileColumns = 64;

/// Matrices of more elements keep all cores busy alone, and joining them takes
/// as much memory as they have.
static constexpr int64_t kMostElements = 1 << 22;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// True where all that reads a product moves its elements, or reads them in any
/// layout as a part of a larger result. An activation or an addition would be
/// computed on the way by a product of its own, and results are to lie side by
/// side.
static bool isOnlyMoved(Value product) {
  return llvm::all_of(product.getUsers(), [](Operation *user) {
    if (user->hasTrait<IE::KeepsElements>()) {
      return isOnlyMoved(user->getResult(0));
    }
    return isa<IE::MatMulOp, IE::ShapeOp, IE::TransposeOp>(user);
  });
}

/// True for a constant matrix (K, N) of whole tiles of columns.
static bool isMergeable(Value matrix) {
  RankedTensorType type = getTensorType(matrix);
  return type.getRank() == 2 && type.hasStaticShape() &&
         isa<FloatType>(type.getElementType()) &&
         type.getDimSize(1) % kTileColumns == 0 &&
         IE::getConstantElements(matrix);
}

static bool isMergeable(IE::MatMulOp op) {
  return isMergeable(op.getRhs()) &&
         getTensorType(op.getLhs()).getRank() >= 2 &&
         isOnlyMoved(op->getResult(0));
}

/// True for a product plus a constant row, or none.
static bool isMergeable(IE::GemmOp op) {
  auto columns = getTensorType(op.getOutput()).getDimSize(1);
  Value row = op.getAddend();
  return op.getTransA() == 0 && op.getTransB() == 0 &&
         op.getAlpha().isExactlyValue(1) && op.getBeta().isExactlyValue(1) &&
         isMergeable(op.getRhs()) && isOnlyMoved(op->getResult(0)) &&
         (!row ||
          (IE::getConstantElements(row) && getTensorType(row).getRank() == 1 &&
           getTensorType(row).getDimSize(0) == columns));
}

/// One value of a constant for each of the products, side by side. Constants
/// come to the first product if they are defined behind it.
template <typename Op>
static Value join(RewriterBase &rewriter, ArrayRef<Op> products,
                  llvm::function_ref<Value(Op)> get, int64_t axis) {
  SmallVector<Value> parts;
  Op first = products.front();
  for (Op product : products) {
    Value part = get(product);
    Operation *def = part.getDefiningOp();
    if (def->getBlock() == first->getBlock() && first->isBeforeInBlock(def)) {
      rewriter.moveOpBefore(def, first);
    }
    parts.push_back(part);
  }
  return IE::ConcatOp::create(rewriter, first.getLoc(), parts, axis);
}

static Value buildProduct(RewriterBase &rewriter,
                          ArrayRef<IE::MatMulOp> products,
                          RankedTensorType type) {
  IE::MatMulOp first = products.front();
  Value matrix = join<IE::MatMulOp>(
      rewriter, products, [](IE::MatMulOp op) { return op.getRhs(); }, 1);
  return IE::MatMulOp::create(rewriter, first.getLoc(), TypeRange(type),
                              first.getLhs(), matrix)
      ->getResult(0);
}

static Value buildProduct(RewriterBase &rewriter, ArrayRef<IE::GemmOp> products,
                          RankedTensorType type) {
  IE::GemmOp first = products.front();
  SmallVector<Value> operands = {
      first.getLhs(),
      join<IE::GemmOp>(
          rewriter, products, [](IE::GemmOp op) { return op.getRhs(); }, 1)};
  if (first.getAddend()) {
    operands.push_back(join<IE::GemmOp>(
        rewriter, products, [](IE::GemmOp op) { return op.getAddend(); }, 0));
  }
  return IE::GemmOp::create(rewriter, first.getLoc(), TypeRange(type), operands,
                            ArrayRef<NamedAttribute>())
      ->getResult(0);
}

template <typename Op>
static void merge(RewriterBase &rewriter, ArrayRef<Op> products) {
  SmallVector<int64_t> sizes;
  int64_t sum = 0;
  for (Op product : products) {
    sizes.push_back(getTensorType(product->getResult(0)).getShape().back());
    sum += sizes.back();
  }
  Op first = products.front();
  rewriter.setInsertionPoint(first);
  RankedTensorType type = getTensorType(first->getResult(0));
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = sum;
  Value product = buildProduct(rewriter, products, type.clone(shape));
  auto types = llvm::map_to_vector(
      products, [](Op op) -> Type { return op->getResult(0).getType(); });
  auto split = IE::SplitOp::create(
      rewriter, first.getLoc(), types, product,
      IE::buildInts(rewriter, first.getLoc(), sizes),
      rewriter.getI64IntegerAttr(type.getRank() - 1), IntegerAttr());
  for (auto [op, part] : llvm::zip_equal(products, split.getOutputs())) {
    rewriter.replaceOp(op, part);
  }
}

/// What products have to share.
template <typename Op> static bool areAlike(Op a, Op b) {
  auto shapeOf = [](Op op) {
    return getTensorType(op->getResult(0)).getShape().drop_back();
  };
  return a.getLhs() == b.getLhs() && shapeOf(a) == shapeOf(b) &&
         a->getNumOperands() == b->getNumOperands();
}

template <typename Op> static void mergeAll(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  function.walk([&](Block *block) {
    SmallVector<SmallVector<Op>> groups;
    llvm::DenseMap<Value, SmallVector<size_t>> numbers;
    for (Op op : block->getOps<Op>()) {
      if (!isMergeable(op)) {
        continue;
      }
      SmallVector<size_t> &candidates = numbers[op.getLhs()];
      auto *found = llvm::find_if(candidates, [&](size_t number) {
        return areAlike(groups[number].front(), op);
      });
      if (found == candidates.end()) {
        candidates.push_back(groups.size());
        groups.push_back({op});
      } else {
        groups[*found].push_back(op);
      }
    }
    for (ArrayRef<Op> group : groups) {
      int64_t elements = 0;
      for (Op op : group) {
        elements += getTensorType(op.getRhs()).getNumElements();
      }
      if (group.size() > 1 && elements <= kMostElements) {
        merge<Op>(rewriter, group);
      }
    }
  });
}

namespace {

struct MergeMatMulsPass final
    : nacre::IE::impl::MergeMatMulsBase<MergeMatMulsPass> {
  void runOnOperation() override {
    mergeAll<IE::GemmOp>(getOperation());
    mergeAll<IE::MatMulOp>(getOperation());
  }
};

} // namespace
