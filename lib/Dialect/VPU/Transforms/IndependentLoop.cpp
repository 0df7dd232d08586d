//===- IndependentLoop.cpp - Loops that cores can share -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of scalars, as those that select or interpolate, and loops of the
// model, as those over samples, are no structured ops: what their iterations
// have to do with each other is said by who made them.
//
//===----------------------------------------------------------------------===//

#include "IndependentLoop.h"

#include "TilingUtils.h"

#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

#include <climits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

std::optional<IndependentLoop> IndependentLoop::match(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  auto dim = abi::get<abi::Independent>(op);
  if (!loop || !dim || loop.use_empty()) {
    return std::nullopt;
  }
  int64_t end =
      getConstantIntValue(loop.getUpperBound()).value_or(ShapedType::kDynamic);
  bool isCounted = getConstantIntValue(loop.getLowerBound()) == 0 &&
                   getConstantIntValue(loop.getStep()) == 1;
  if (!isCounted ||
      !llvm::all_of(loop->getResultTypes(), llvm::IsaPred<RankedTensorType>)) {
    return std::nullopt;
  }
  IndependentLoop result(loop, dim.getInt(), end);
  // A part of no elements is no slice.
  bool isAsSaid = llvm::all_of(loop->getResults(), [&](OpResult value) {
    if (llvm::is_contained(cast<ShapedType>(value.getType()).getShape(), 0)) {
      return false;
    }
    return result.isRoom(value) ? result.isFreshRoom(value)
                                : result.hasParts(value);
  });
  return isAsSaid ? std::optional(result) : std::nullopt;
}

bool IndependentLoop::isRoom(OpResult result) {
  auto getShape = [](OpResult value) {
    return cast<ShapedType>(value.getType()).getShape();
  };
  // A result that happens not to be read has the shape of one that is.
  return llvm::none_of(loop->getResults(), [&](OpResult other) {
    return !other.use_empty() && getShape(other) == getShape(result);
  });
}

bool IndependentLoop::isFreshRoom(OpResult result) {
  return loop.getTiedLoopInit(result)->get().getDefiningOp<tensor::EmptyOp>() !=
         nullptr;
}

bool IndependentLoop::hasKnownParts() {
  return llvm::all_of(loop->getResults(), [&](OpResult result) {
    SmallVector<int64_t> shape(cast<ShapedType>(result.getType()).getShape());
    if (!isRoom(result)) {
      shape.erase(shape.begin() + dim);
    }
    return !ShapedType::isDynamicShape(shape);
  });
}

bool IndependentLoop::hasParts(OpResult result) const {
  ArrayRef<int64_t> shape = cast<ShapedType>(result.getType()).getShape();
  return shape.size() > dim && shape[dim] == extent;
}

SmallVector<Value> IndependentLoop::getTensors() {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(loop->getRegions(), values);
  values.insert_range(loop.getInitArgs());
  return llvm::filter_to_vector(values, [](Value value) {
    return isa<RankedTensorType>(value.getType());
  });
}

int64_t IndependentLoop::countElements() {
  int64_t count = 0;
  for (Value value : getTensors()) {
    count += getTypicalNumElements(cast<ShapedType>(value.getType()));
  }
  return count;
}

int64_t IndependentLoop::countPasses() {
  int64_t count = 0;
  loop.getBody()->walk([&](scf::ForOp inner) {
    bool isInnermost =
        !inner.getBody()
             ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
    count += isInnermost;
  });
  return std::max<int64_t>(count, 1);
}

bool IndependentLoop::onlyMovesSlices() {
  bool moves = false;
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    moves |= isa<tensor::InsertSliceOp>(op);
    bool isMove = isa<linalg::FillOp, linalg::CopyOp>(op);
    bool computes = isa<linalg::LinalgOp>(op) && !isMove;
    return computes || isa<tensor::ExtractOp, tensor::InsertOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return moves && !result.wasInterrupted();
}

int64_t IndependentLoop::getElementBytes() {
  int64_t bytes = 1;
  for (Type type : loop->getResultTypes()) {
    Type element = getElementTypeOrSelf(type);
    int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                          : int64_t(CHAR_BIT);
    bytes = std::max(bytes, llvm::divideCeilSigned(bits, CHAR_BIT));
  }
  return bytes;
}

Value IndependentLoop::buildPoints(OpBuilder &builder) {
  if (abi::has<abi::HasSteps>(loop)) {
    return loop.getUpperBound();
  }
  Location loc = loop.getLoc();
  IE::Sizes counts;
  for (Value tensor : getTensors()) {
    counts.push_back(IE::multiplySizes(
        builder, loc, tensor::getMixedSizes(builder, loc, tensor)));
  }
  OpFoldResult points = counts.front();
  for (OpFoldResult count : llvm::drop_begin(counts)) {
    points = IE::addSizes(builder, loc, points, count);
  }
  return getValueOrCreateConstantIndexOp(builder, loc, points);
}

SmallVector<Value> IndependentLoop::buildInits(OpBuilder &builder,
                                               ValueRange outputs) {
  SmallVector<Value> inits;
  for (auto [result, init] :
       llvm::zip_equal(loop->getResults(), loop.getInitArgs())) {
    if (isRoom(result)) {
      inits.push_back(builder.clone(*init.getDefiningOp())->getResult(0));
    } else {
      inits.push_back(outputs.front());
      outputs = outputs.drop_front();
    }
  }
  return inits;
}

void IndependentLoop::distribute(RewriterBase &rewriter, OpFoldResult end,
                                 OpFoldResult step, PartBuilder buildPart) {
  Location loc = loop.getLoc();
  SmallVector<OpResult> used;
  SmallVector<Value> outputs;
  SmallVector<SmallVector<OpFoldResult>> wholeSizes;
  for (auto [result, init] :
       llvm::zip_equal(loop->getResults(), loop.getInitArgs())) {
    if (!isRoom(result)) {
      used.push_back(result);
      outputs.push_back(init);
      // Each iteration puts its part into what it is given.
      wholeSizes.push_back(tensor::getMixedSizes(rewriter, loc, init));
    }
  }
  auto parts = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{rewriter.getIndexAttr(0)}, end,
      step, outputs,
      rewriter.getArrayAttr(ClusterAttr::get(
          rewriter.getContext(), ClusterStrategy::SplitOverHeight)));
  if (abi::has<abi::HasSteps>(loop)) {
    // Each of its kernels is a function, as elsewhere.
    abi::mark<abi::HasSteps>(parts);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(parts.getBody());
  auto [first, last, count] =
      buildPart(rewriter, parts.getInductionVars().front());
  SmallVector<Value> inits = buildInits(rewriter, parts.getRegionIterArgs());
  auto part = cast<scf::ForOp>(rewriter.clone(*loop));
  abi::remove<abi::Independent>(part);
  part->removeAttr(StrategyAttr::attrName);
  part.setLowerBound(first);
  part.setUpperBound(last);
  part.getInitArgsMutable().assign(inits);
  for (auto [result, output, sizes] :
       llvm::zip_equal(used, parts.getRegionIterArgs(), wholeSizes)) {
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
    offsets[dim] = first;
    sizes[dim] = count;
    rewriter.setInsertionPoint(parts.getTerminator());
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, loc, part.getResult(result.getResultNumber()), offsets, sizes,
        strides);
    rewriter.setInsertionPointToEnd(parts.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(rewriter, loc, slice, output, offsets,
                                          sizes, strides);
  }
  for (auto [result, whole] : llvm::zip_equal(used, parts.getResults())) {
    rewriter.replaceAllUsesWith(result, whole);
  }
  rewriter.eraseOp(loop);
}

void IndependentLoop::splitOffRest(RewriterBase &rewriter, int64_t clusters) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value all = loop.getUpperBound();
  Value count = arith::ConstantIndexOp::create(rewriter, loc, clusters);
  Value left = arith::RemUIOp::create(rewriter, loc, all, count);
  Value even = arith::SubIOp::create(rewriter, loc, all, left);
  rewriter.setInsertionPointAfter(loop);
  auto rest = cast<scf::ForOp>(rewriter.clone(*loop));
  abi::remove<abi::Independent>(rest);
  rest->removeAttr(StrategyAttr::attrName);
  // There are no values in room that the rest would need.
  SmallVector<OpResult> carried = llvm::filter_to_vector(
      loop->getResults(), [&](OpResult result) { return !isRoom(result); });
  rewriter.replaceAllUsesWith(loop->getResults(), rest->getResults());
  for (OpResult result : carried) {
    rest.getInitArgsMutable()[result.getResultNumber()].set(result);
  }
  rest.setLowerBound(even);
  loop.setUpperBound(even);
}

void IndependentLoop::split(RewriterBase &rewriter, int64_t numParts) {
  int64_t size = llvm::divideCeilSigned(extent, numParts);
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  OpFoldResult end = rewriter.getIndexAttr(extent);
  OpFoldResult step = rewriter.getIndexAttr(size);
  distribute(rewriter, end, step, [&](OpBuilder &builder, Value first) -> Part {
    OpFoldResult count = step;
    if (extent % size != 0) {
      AffineExpr position = builder.getAffineDimExpr(0);
      count = affine::makeComposedFoldedAffineMin(
          builder, loc,
          AffineMap::get(/*dimCount=*/1, /*symbolCount=*/0,
                         {builder.getAffineConstantExpr(size),
                          builder.getAffineConstantExpr(extent) - position},
                         builder.getContext()),
          OpFoldResult(first));
    }
    Value last = arith::AddIOp::create(
        builder, loc, first,
        getValueOrCreateConstantIndexOp(builder, loc, count));
    return {first, last, count};
  });
}

void IndependentLoop::splitAtRunTime(RewriterBase &rewriter, int64_t clusters,
                                     int64_t grain) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value all = loop.getUpperBound();
  int64_t most =
      hasKnownExtent() ? std::clamp<int64_t>(extent, 1, clusters) : clusters;
  OpFoldResult numParts =
      buildNumParts(rewriter, loc, buildPoints(rewriter), most, grain);
  if (!hasKnownExtent() && !abi::has<abi::HasSteps>(loop)) {
    // Not more than there are iterations, of which there may be none.
    Value iterations = arith::MaxUIOp::create(
        rewriter, loc, all, arith::ConstantIndexOp::create(rewriter, loc, 1));
    numParts = arith::MinUIOp::create(
                   rewriter, loc, iterations,
                   getValueOrCreateConstantIndexOp(rewriter, loc, numParts))
                   .getResult();
  }
  // In front of the loop over parts: LLVM makes no memset or memcpy of what has
  // a division in its address.
  Value size = arith::CeilDivUIOp::create(
      rewriter, loc, all,
      getValueOrCreateConstantIndexOp(rewriter, loc, numParts));
  distribute(rewriter, numParts, rewriter.getIndexAttr(1),
             [&](OpBuilder &builder, Value number) -> Part {
               auto limit = [&](Value position) -> Value {
                 return arith::MinUIOp::create(builder, loc, position, all);
               };
               Value first =
                   limit(arith::MulIOp::create(builder, loc, number, size));
               Value last =
                   limit(arith::AddIOp::create(builder, loc, first, size));
               Value count = arith::SubIOp::create(builder, loc, last, first);
               return {first, last, count};
             });
}
