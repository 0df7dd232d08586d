//===- DataMovementSamples.cpp - Samples of what is moved -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the results of the IE operator family data movement have the samples of
// a batch.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

SamplesOfResults TransposeOp::followSamples(ArrayRef<MaybeSamples> operands) {
  SmallVector<int64_t> permutation = getPermutation();
  auto *found = llvm::find(permutation, operands[0]->dim);
  if (found == permutation.end()) {
    return failure();
  }
  return SmallVector<MaybeSamples>{
      SamplePlace{found - permutation.begin(), operands[0]->size}};
}

SamplesOfResults ConcatOp::followSamples(ArrayRef<MaybeSamples> operands) {
  int64_t rank = cast<RankedTensorType>(getConcatResult().getType()).getRank();
  int64_t axis = getAxis();
  axis += axis < 0 ? rank : 0;
  if (!operands[0] || operands[0]->dim == axis || !llvm::all_equal(operands)) {
    return failure();
  }
  return SmallVector<MaybeSamples>{operands[0]};
}

/// The dimensions that entries of a vector, `axes`, belong to; by default all
/// in order.
static std::optional<SmallVector<int64_t>> getDims(Value axes, int64_t rank,
                                                   size_t numEntries) {
  if (!axes) {
    return llvm::to_vector(llvm::seq<int64_t>(numEntries));
  }
  std::optional<SmallVector<int64_t>> dims = getKnownInts(axes);
  if (!dims || llvm::is_contained(*dims, ShapedType::kDynamic)) {
    return std::nullopt;
  }
  for (int64_t &dim : *dims) {
    dim += dim < 0 ? rank : 0;
  }
  return dims;
}

SamplesOfResults SliceOp::followSamples(ArrayRef<MaybeSamples> operands) {
  SamplesOfResults results = followFirst(getOperation(), operands);
  std::optional<SmallVector<int64_t>> starts = getKnownInts(getStarts());
  std::optional<SmallVector<int64_t>> ends = getKnownInts(getEnds());
  if (failed(results) || !starts || !ends || starts->size() != ends->size()) {
    return failure();
  }
  std::optional<SmallVector<int64_t>> dims =
      getDims(getAxes(), cast<RankedTensorType>(getData().getType()).getRank(),
              starts->size());
  std::optional<SmallVector<int64_t>> steps =
      getSteps() ? getKnownInts(getSteps())
                 : SmallVector<int64_t>(starts->size(), 1);
  if (!dims || !steps) {
    return failure();
  }
  // All samples of any number.
  constexpr int64_t kEnd = std::numeric_limits<int32_t>::max();
  for (auto [dim, start, end, step] :
       llvm::zip_equal(*dims, *starts, *ends, *steps)) {
    if (dim == operands[0]->dim && !(start == 0 && end >= kEnd && step == 1)) {
      return failure();
    }
  }
  return results;
}

SamplesOfResults PadOp::followSamples(ArrayRef<MaybeSamples> operands) {
  SamplesOfResults results = followFirst(getOperation(), operands);
  std::optional<SmallVector<int64_t>> pads = getKnownInts(getPads());
  if (failed(results) || !pads) {
    return failure();
  }
  size_t numDims = pads->size() / 2;
  std::optional<SmallVector<int64_t>> dims =
      getDims(getAxes(), cast<RankedTensorType>(getData().getType()).getRank(),
              numDims);
  if (!dims) {
    return failure();
  }
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    if (dim == operands[0]->dim &&
        ((*pads)[i] != 0 || (*pads)[i + numDims] != 0)) {
      return failure();
    }
  }
  return results;
}

SamplesOfResults TileOp::followSamples(ArrayRef<MaybeSamples> operands) {
  SamplesOfResults results = followFirst(getOperation(), operands);
  std::optional<SmallVector<int64_t>> repeats = getKnownInts(getRepeats());
  if (failed(results) || !repeats || (*repeats)[operands[0]->dim] != 1) {
    return failure();
  }
  return results;
}
