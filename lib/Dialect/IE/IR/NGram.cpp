//===- NGram.cpp - Runs of tokens
//------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: runs of tokens.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/NGram.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/NGram.cpp.inc"

void IEDialect::registerNGramOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/NGram.cpp.inc"
      >();
}

LogicalResult TfIdfVectorizerOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  if (!adaptor.getNgramIndexesAttr() || adaptor.getNgramIndexes().empty()) {
    return emitOptionalError(location, "expected 'ngram_indexes'");
  }
  int64_t largest = *llvm::max_element(adaptor.getNgramIndexes());
  SmallVector<int64_t> shape(input.getShape());
  if (shape.empty() || largest < 0) {
    return emitOptionalError(location,
                             "expected a vector or a matrix, and "
                             "indices that are not negative, found ",
                             input, " and ", largest);
  }
  shape.back() = largest + 1;
  FailureOr<RankedTensorType> type =
      getCheckedType(location, shape, Float32Type::get(context));
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

LogicalResult TfIdfVectorizerOp::verify() {
  if (!getPoolInt64s()) {
    return emitOpError("expected 'pool_int64s'");
  }
  // The accessors are unsigned, negative attributes must not be.
  auto shortest = static_cast<int64_t>(getMinGramLength());
  auto longest = static_cast<int64_t>(getMaxGramLength());
  auto maxSkip = static_cast<int64_t>(getMaxSkipCount());
  if (shortest < 1 || longest < shortest) {
    return emitOpError("expected lengths of n-grams from 1 on, found ")
           << shortest << " to " << longest;
  }
  ArrayRef<int64_t> begins = getNgramCounts();
  if (longest > static_cast<int64_t>(begins.size())) {
    return emitOpError("expected 'ngram_counts' for each length up to ")
           << longest << ", found " << begins.size();
  }
  if (maxSkip < 0) {
    return emitOpError("expected 'max_skip_count' of 0 or more, found ")
           << maxSkip;
  }
  auto poolSize = static_cast<int64_t>(getPoolInt64s()->size());
  int64_t grams = 0;
  for (auto [i, begin] : llvm::enumerate(begins)) {
    int64_t end = i + 1 < begins.size() ? begins[i + 1] : poolSize;
    int64_t length = static_cast<int64_t>(i) + 1;
    if (begin < 0 || begin > end || end > poolSize ||
        (end - begin) % length != 0) {
      return emitOpError("expected 'ngram_counts' to divide the pool of ")
             << poolSize << " tokens into n-grams, found those of " << length
             << " from " << begin << " to " << end;
    }
    grams += (end - begin) / length;
  }
  if (grams != static_cast<int64_t>(getNgramIndexes().size())) {
    return emitOpError("expected an index for each of ")
           << grams << " n-grams, found " << getNgramIndexes().size();
  }
  if (llvm::any_of(getNgramIndexes(), [](int64_t i) { return i < 0; })) {
    return emitOpError("expected indices that are not negative");
  }
  if (getWeights() && getWeights()->size() != getNgramIndexes().size()) {
    return emitOpError("expected a weight for each of ")
           << grams << " n-grams, found " << getWeights()->size();
  }
  return success();
}

SmallVector<TfIdfVectorizerOp::Gram>
TfIdfVectorizerOp::getGrams(int64_t length) {
  ArrayRef<int64_t> begins = getNgramCounts(), pool = *getPoolInt64s();
  auto getEnd = [&](int64_t of) {
    return of < static_cast<int64_t>(begins.size())
               ? begins[of]
               : static_cast<int64_t>(pool.size());
  };
  int64_t number = 0;
  for (int64_t shorter = 1; shorter < length; ++shorter) {
    number += (getEnd(shorter) - begins[shorter - 1]) / shorter;
  }
  SmallVector<Gram> grams;
  for (int64_t at = begins[length - 1]; at < getEnd(length); at += length) {
    grams.push_back({pool.slice(at, length), getNgramIndexes()[number++]});
  }
  return grams;
}

LogicalResult
TfIdfVectorizerOp::buildSizes(SizeBuilder &sizes,
                              ReifiedRankedShapedTypeDims &results) {
  // The last size is the largest index, which the type knows.
  auto type = cast<RankedTensorType>(getType());
  Sizes &result = results.emplace_back(sizes.getSizes(getInput()));
  result.back() = sizes.number(type.getShape().back());
  return success();
}
