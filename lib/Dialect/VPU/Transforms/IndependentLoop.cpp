//===- IndependentLoop.cpp - Loops that cores can share -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of scalars, as those that select or interpolate, are no structured ops:
// what their iterations have to do with each other is said by who made them.
//
//===----------------------------------------------------------------------===//

#include "IndependentLoop.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

std::optional<IndependentLoop> IndependentLoop::match(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  auto dim = abi::get<abi::Independent>(op);
  if (!loop || !dim || loop.use_empty()) {
    return std::nullopt;
  }
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  bool isCounted = getConstantIntValue(loop.getLowerBound()) == 0 &&
                   getConstantIntValue(loop.getStep()) == 1;
  if (!end || !isCounted) {
    return std::nullopt;
  }
  IndependentLoop result(loop, dim.getInt(), *end);
  for (OpResult value : loop->getResults()) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape()) {
      return std::nullopt;
    }
    bool isAsSaid = result.isRoom(value)
                        ? loop.getTiedLoopInit(value)
                                  ->get()
                                  .getDefiningOp<tensor::EmptyOp>() != nullptr
                        : type.getRank() > dim.getInt() &&
                              type.getDimSize(dim.getInt()) == *end;
    if (!isAsSaid) {
      return std::nullopt;
    }
  }
  return result;
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

int64_t IndependentLoop::countElements() {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(loop->getRegions(), values);
  values.insert_range(loop.getInitArgs());
  int64_t count = 0;
  for (Value value : values) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    count += type && type.hasStaticShape() ? type.getNumElements() : 0;
  }
  return count;
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

void IndependentLoop::getSlice(OpBuilder &builder, OpResult result, Value first,
                               OpFoldResult count,
                               SmallVectorImpl<OpFoldResult> &offsets,
                               SmallVectorImpl<OpFoldResult> &sizes) const {
  auto type = cast<RankedTensorType>(result.getType());
  offsets.assign(type.getRank(), builder.getIndexAttr(0));
  sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  offsets[dim] = first;
  sizes[dim] = count;
}

void IndependentLoop::split(RewriterBase &rewriter, int64_t numParts) {
  int64_t size = llvm::divideCeilSigned(extent, numParts);
  Location loc = loop.getLoc();
  SmallVector<OpResult> used;
  SmallVector<Value> outputs;
  for (auto [result, init] :
       llvm::zip_equal(loop->getResults(), loop.getInitArgs())) {
    if (!isRoom(result)) {
      used.push_back(result);
      outputs.push_back(init);
    }
  }
  rewriter.setInsertionPoint(loop);
  auto attr = [&](int64_t value) { return rewriter.getIndexAttr(value); };
  auto parts = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{attr(0)},
      ArrayRef<OpFoldResult>{attr(extent)}, ArrayRef<OpFoldResult>{attr(size)},
      outputs,
      rewriter.getArrayAttr(ClusterAttr::get(
          rewriter.getContext(), ClusterStrategy::SplitOverHeight)));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(parts.getBody());
  Value first = parts.getInductionVars().front();
  OpFoldResult count = attr(size);
  if (extent % size != 0) {
    AffineExpr position = rewriter.getAffineDimExpr(0);
    count = affine::makeComposedFoldedAffineMin(
        rewriter, loc,
        AffineMap::get(/*dimCount=*/1, /*symbolCount=*/0,
                       {rewriter.getAffineConstantExpr(size),
                        rewriter.getAffineConstantExpr(extent) - position},
                       rewriter.getContext()),
        OpFoldResult(first));
  }
  Value end = arith::AddIOp::create(
      rewriter, loc, first,
      getValueOrCreateConstantIndexOp(rewriter, loc, count));
  SmallVector<Value> inits = buildInits(rewriter, parts.getRegionIterArgs());
  auto part = cast<scf::ForOp>(rewriter.clone(*loop));
  abi::remove<abi::Independent>(part);
  part->removeAttr(StrategyAttr::attrName);
  part.setLowerBound(first);
  part.setUpperBound(end);
  part.getInitArgsMutable().assign(inits);
  SmallVector<OpFoldResult> offsets, sizes;
  for (auto [result, output] :
       llvm::zip_equal(used, parts.getRegionIterArgs())) {
    getSlice(rewriter, result, first, count, offsets, sizes);
    SmallVector<OpFoldResult> strides(offsets.size(), attr(1));
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
