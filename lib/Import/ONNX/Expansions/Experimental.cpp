//===- Experimental.cpp - Expansions: operators that ONNX tried -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that ONNX had on trial before operator set 10 and took back. Older
// converters wrote them.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// alpha * x + beta
static void expandAffine(Expander &e) {
  Value scaled = e.mul(e.getRequiredInput(0, "X"), e.takeFloat("alpha", 1));
  e.setResults(e.add(scaled, e.takeFloat("beta", 0)));
}

static void expandScale(Expander &e) {
  e.setResults(e.mul(e.getRequiredInput(0, "input"), e.takeFloat("scale", 1)));
}

/// alpha * f(beta * x)
template <typename OpT> static void expandScaled(Expander &e) {
  double alpha = e.takeFloat("alpha", 1), beta = e.takeFloat("beta", 1);
  Value inner = e.mul(e.getRequiredInput(0, "X"), beta);
  e.setResults(e.mul(e.create<OpT>({inner}), alpha));
}

/// An image, scaled, with a bias for each channel.
static void expandImageScaler(Expander &e) {
  Value image = e.getRequiredInput(0, "input");
  SmallVector<double> bias = e.takeFloats("bias");
  Value scaled = e.mul(image, e.takeFloat("scale", 1));
  if (!e.expectRank(image, 4, "input")) {
    return;
  }
  if (!bias.empty()) {
    auto channels = static_cast<int64_t>(bias.size());
    scaled = e.add(scaled,
                   e.buildTensor(bias, {channels, 1, 1}, e.getElement(image)));
  }
  e.setResults(scaled);
}

/// An image without its borders (left, top, right, bottom), or as many rows and
/// columns as 'scale' says from the left and top ones on.
static void expandCrop(Expander &e) {
  Value image = e.getRequiredInput(0, "input");
  SmallVector<int64_t> border = e.takeInts("border");
  SmallVector<int64_t> sizes = e.takeInts("scale");
  if (!e.expectRank(image, 4, "input")) {
    return;
  }
  if (border.size() != 4 || (!sizes.empty() && sizes.size() != 2)) {
    return e.fail("expected four borders and, if any, two sizes");
  }
  SmallVector<int64_t> starts = {border[1], border[0]}, ends = sizes;
  for (auto [i, start] : llvm::enumerate(starts)) {
    if (!sizes.empty()) {
      ends[i] += start;
      continue;
    }
    int64_t last = border[3 - i];
    ends.push_back(last == 0 ? INT64_MAX : -last);
  }
  e.setResults(
      e.create<IE::SliceOp>({image, e.buildInts(starts), e.buildInts(ends),
                             e.buildInts({2, 3}), Value()}));
}

/// A Slice by operands, which since 10 every Slice has.
static void expandDynamicSlice(Expander &e) {
  e.setResults(e.create<IE::SliceOp>(
      {e.getRequiredInput(0, "data"), e.getRequiredInput(1, "starts"),
       e.getRequiredInput(2, "ends"), e.getInput(3), Value()}));
}

ArrayRef<ExpansionEntry> onnx_import::getExperimentalExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"", "Affine", expandAffine},
      {"", "Crop", expandCrop},
      {"", "DynamicSlice", expandDynamicSlice},
      {"", "ImageScaler", expandImageScaler},
      {"", "ParametricSoftplus", expandScaled<IE::SoftplusOp>},
      {"", "Scale", expandScale},
      {"", "ScaledTanh", expandScaled<IE::TanhOp>},
  };
  return kEntries;
}
