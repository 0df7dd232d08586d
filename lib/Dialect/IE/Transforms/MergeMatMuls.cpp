//===- MergeMatMuls.cpp - The ie-merge-matmuls pass -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of one operand with several constant matrices, as the queries, keys
// and values of attention, are one product with all of their columns. The
// matrices are joined by Concat, which is evaluated at once. A product has
// enough columns then for all cores, however few its rows are.
//
//===----------------------------------------------------------------------===//

#include "FoldConstants.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

namespace nacre::IE {
#define GEN_PASS_DEF_MERGEMATMULS
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

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

/// True for a constant matrix (K, N) of whole tiles of columns: where one
/// matrix ended in the middle of a tile, the next would begin there.
static bool hasWholeTiles(Value matrix, int64_t tileColumns) {
  RankedTensorType type = getTensorType(matrix);
  return type.getRank() == 2 && type.hasStaticShape() &&
         isa<FloatType>(type.getElementType()) &&
         type.getDimSize(1) % tileColumns == 0 &&
         IE::getConstantElements(matrix);
}

namespace {

/// A product with a constant matrix, and the constant row that is added to it.
struct Product {
  Operation *op;
  Value lhs, matrix;
  Value row;       // null where there is none
  Operation *last; // whose result has the row

  RankedTensorType getType() const { return getTensorType(last->getResult(0)); }

  /// True where one product can be both.
  bool isLike(const Product &other) const {
    return op->getName() == other.op->getName() && lhs == other.lhs &&
           getType().getShape().drop_back() ==
               other.getType().getShape().drop_back() &&
           !row == !other.row;
  }
};

} // namespace

/// True for a constant with an element for each column.
static bool isRow(Value value, int64_t columns) {
  RankedTensorType type = getTensorType(value);
  return type.getRank() == 1 && type.getDimSize(0) == columns &&
         IE::getConstantElements(value);
}

static Product getProduct(IE::MatMulOp op) {
  Value matrix = op.getRhs();
  Product product{op, op.getLhs(), matrix, Value(), op};
  auto add =
      op->hasOneUse() ? dyn_cast<IE::AddOp>(*op->user_begin()) : IE::AddOp();
  if (add && add.getType() == op.getOutput().getType()) {
    Value row = add.getLhs() == op.getOutput() ? add.getRhs() : add.getLhs();
    if (isRow(row, getTensorType(matrix).getShape().back())) {
      product.row = row;
      product.last = add;
    }
  }
  return product;
}

/// The product that an op is, if it is one to be merged with others.
static std::optional<Product> getMergeable(Operation *op, int64_t tileColumns) {
  Product product;
  if (auto matmul = dyn_cast<IE::MatMulOp>(op)) {
    if (getTensorType(matmul.getLhs()).getRank() < 2) {
      return std::nullopt;
    }
    product = getProduct(matmul);
  } else if (auto gemm = dyn_cast<IE::GemmOp>(op)) {
    int64_t columns = getTensorType(gemm.getOutput()).getDimSize(1);
    if (gemm.getTransA() != 0 || gemm.getTransB() != 0 ||
        !gemm.getAlpha().isExactlyValue(1) ||
        !gemm.getBeta().isExactlyValue(1) ||
        (gemm.getAddend() && !isRow(gemm.getAddend(), columns))) {
      return std::nullopt;
    }
    product = {op, gemm.getLhs(), gemm.getRhs(), gemm.getAddend(), op};
  } else {
    return std::nullopt;
  }
  return hasWholeTiles(product.matrix, tileColumns) &&
                 isOnlyMoved(product.last->getResult(0))
             ? std::optional(product)
             : std::nullopt;
}

/// One constant of each of the products, side by side. Constants that are
/// defined behind the first product come to it.
static Value join(RewriterBase &rewriter, ArrayRef<Product> products,
                  Value Product::*constant, int64_t axis) {
  SmallVector<Value> parts;
  Operation *first = products.front().op;
  for (const Product &product : products) {
    Value part = product.*constant;
    Operation *def = part.getDefiningOp();
    if (def->getBlock() == first->getBlock() && first->isBeforeInBlock(def)) {
      rewriter.moveOpBefore(def, first);
    }
    parts.push_back(part);
  }
  return IE::ConcatOp::create(rewriter, first->getLoc(), parts, axis);
}

/// The product with the columns of all of them.
static Value buildProduct(RewriterBase &rewriter, ArrayRef<Product> products,
                          RankedTensorType type) {
  const Product &first = products.front();
  Location loc = first.op->getLoc();
  SmallVector<Value> operands = {
      first.lhs, join(rewriter, products, &Product::matrix, /*axis=*/1)};
  Value row =
      first.row ? join(rewriter, products, &Product::row, /*axis=*/0) : Value();
  if (isa<IE::MatMulOp>(first.op)) {
    Value product =
        IE::MatMulOp::create(rewriter, loc, TypeRange(type), operands)
            ->getResult(0);
    return row ? IE::AddOp::create(rewriter, loc, type, product, row) : product;
  }
  if (row) {
    operands.push_back(row);
  }
  return IE::GemmOp::create(rewriter, loc, TypeRange(type), operands)
      ->getResult(0);
}

static void merge(RewriterBase &rewriter, ArrayRef<Product> products) {
  SmallVector<int64_t> sizes;
  SmallVector<Type> types;
  SmallVector<int64_t> shape(products.front().getType().getShape());
  shape.back() = 0;
  for (const Product &product : products) {
    sizes.push_back(product.getType().getShape().back());
    types.push_back(product.getType());
    shape.back() += sizes.back();
  }
  Operation *first = products.front().op;
  Location loc = first->getLoc();
  rewriter.setInsertionPoint(first);
  Value whole =
      buildProduct(rewriter, products, products.front().getType().clone(shape));
  auto split = IE::SplitOp::create(
      rewriter, loc, types, whole, IE::buildInts(rewriter, loc, sizes),
      rewriter.getI64IntegerAttr(static_cast<int64_t>(shape.size()) - 1),
      IntegerAttr());
  for (auto [product, part] : llvm::zip_equal(products, split.getOutputs())) {
    rewriter.replaceOp(product.last, part);
    if (product.last != product.op) {
      rewriter.eraseOp(product.op);
    }
  }
}

/// The products of a block, of which those in one group are alike.
static SmallVector<SmallVector<Product>> findGroups(Block &block,
                                                    int64_t tileColumns) {
  SmallVector<SmallVector<Product>> groups;
  llvm::DenseMap<Value, SmallVector<size_t>> numbers; // of those of an operand
  for (Operation &op : block) {
    std::optional<Product> product = getMergeable(&op, tileColumns);
    if (!product) {
      continue;
    }
    SmallVector<size_t> &candidates = numbers[product->lhs];
    auto *found = llvm::find_if(candidates, [&](size_t number) {
      return groups[number].front().isLike(*product);
    });
    if (found == candidates.end()) {
      candidates.push_back(groups.size());
      groups.push_back({*product});
    } else {
      groups[*found].push_back(*product);
    }
  }
  return groups;
}

namespace {

struct MergeMatMulsPass final
    : nacre::IE::impl::MergeMatMulsBase<MergeMatMulsPass> {
  using MergeMatMulsBase::MergeMatMulsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (tileColumns < 1 || maxElements < 0) {
      return emitError(UnknownLoc::get(context),
                       "expected tile-columns from 1 on and max-elements from "
                       "0 on, found ")
             << tileColumns.getValue() << " and " << maxElements.getValue();
    }
    return success();
  }

  void runOnOperation() override {
    IE::AddedOps added;
    IRRewriter rewriter(&getContext(), &added);
    getOperation().walk([&](Block *block) {
      for (ArrayRef<Product> group : findGroups(*block, tileColumns)) {
        int64_t elements = 0;
        for (const Product &product : group) {
          elements += getTensorType(product.matrix).getNumElements();
        }
        // Joining matrices takes as much memory as they have.
        bool areFew = maxElements == 0 || elements <= maxElements;
        if (group.size() > 1 && areFew) {
          merge(rewriter, group);
        }
      }
    });
    if (failed(IE::foldAdded(getOperation(), added))) {
      signalPassFailure();
    }
  }
};

} // namespace
