//===- Signal.cpp - Expansions: transforms of signals ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from IE's Fourier transform of complex numbers.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/IR/Signal.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// The number of each element along `axis`, a scalar below `rank` that a run
/// may know only, in a shape that broadcasts to the spectrum's.
static Value buildBinNumbers(Expander &e, Value spectrum, Value axis) {
  AttentionBuilder builder(e);
  int64_t rank = e.getRank(spectrum);
  auto along = [&](int64_t dim) {
    SmallVector<int64_t> shape(rank, 1);
    shape[dim] = -1;
    return e.reshape(builder.buildPositions(spectrum, dim), shape);
  };
  Type i64 = e.getInt(64);
  if (std::optional<SmallVector<int64_t>> known = e.evaluateInts(axis)) {
    return along(known->front());
  }
  Value numbers = e.buildScalar(0, i64);
  for (int64_t dim = 0; dim < rank - 1; ++dim) {
    Value isIt = e.create<IE::EqualOp>(
        {axis, e.buildScalar(static_cast<double>(dim), i64)});
    numbers = e.where(isIt, along(dim), numbers);
  }
  return numbers;
}

/// Real signals from the first half of their spectra. The other half mirrors
/// it, so that it contributes the conjugate to the sum: the real part of the
/// transform is that of the first half, counted twice but for bins that are
/// their own mirror image.
void onnx_import::expandRealInverseDFT(Expander &e) {
  Value spectrum = e.getRequiredInput(0, "input");
  Value length = e.getInput(1), axis = e.getInput(2);
  e.ignore({"inverse", "onesided"});
  Type i64 = e.getInt(64);
  int64_t rank = e.getRank(spectrum);
  if (!e.hasFailed() && rank < 2) {
    return e.fail("expected an input of at least two dimensions");
  }
  axis = axis ? e.cast(e.reshape(axis, {}), i64) : e.buildScalar(-2, i64);
  if (std::optional<SmallVector<int64_t>> known = e.evaluateInts(axis)) {
    int64_t number = e.normalizeAxis(known->front(), rank);
    if (number == rank - 1) {
      e.fail("expected an axis other than the last, of real and imaginary "
             "part");
    }
    axis = e.buildScalar(static_cast<double>(number), i64);
  } else {
    Value isNegative = e.create<IE::LessOp>({axis, e.buildScalar(0, i64)});
    axis = e.where(isNegative, e.add(axis, static_cast<double>(rank)), axis);
  }
  if (e.hasFailed()) {
    return;
  }
  if (length) {
    length = e.cast(e.reshape(length, {}), i64);
  } else {
    Value bins = e.gather(e.create<IE::ShapeOp>({spectrum}), axis, 0);
    length = e.mul(e.add(bins, -1), 2);
  }
  // Type inference sees constants only.
  if (std::optional<SmallVector<int64_t>> known = e.evaluateInts(length)) {
    length = e.buildScalar(static_cast<double>(known->front()), i64);
  }
  Value twice = e.mul(buildBinNumbers(e, spectrum, axis), 2);
  Value isMirrored = e.create<IE::LessOp>({twice, length});
  Value isFirst = e.create<IE::EqualOp>({twice, e.buildScalar(0, i64)});
  Value isBeyond = e.create<IE::GreaterOp>({twice, length});
  Type element = e.getElement(spectrum);
  Value once = e.buildScalar(1, element), both = e.buildScalar(2, element);
  Value weight = e.where(isFirst, once, e.where(isMirrored, both, once));
  Value half =
      e.where(isBeyond, e.buildScalar(0, element), e.mul(spectrum, weight));
  Value signal = e.create<IE::DFTOp>(
      {half, length, axis},
      {e.attr("inverse", int64_t(1)), e.attr("onesided", int64_t(0))});
  e.setResults(e.slice(signal, rank - 1, 0, 1));
}
