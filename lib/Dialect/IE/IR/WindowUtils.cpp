//===- WindowUtils.cpp - Sliding windows of convolution and pooling -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements ONNX's window arithmetic.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/WindowUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

// Larger windows, strides and pads are mistakes; the bound keeps products of
// several of them far from overflow.
static constexpr int64_t kMaxWindow = int64_t(1) << 31;

bool Window::hasPads() const {
  auto isPad = [](int64_t pad) { return pad != 0; };
  return llvm::any_of(padsBegin, isPad) || llvm::any_of(padsEnd, isPad);
}

/// `values`, or `fill` for each of `count` dimensions when absent, all of which
/// must lie in [low, kMaxWindow].
static FailureOr<SmallVector<int64_t>>
readList(std::optional<Location> location, StringRef name,
         ArrayRef<int64_t> values, size_t count, int64_t fill, int64_t low,
         bool mayBeDynamic = false) {
  if (values.empty()) {
    return SmallVector<int64_t>(count, fill);
  }
  if (values.size() != count) {
    (void)emitOptionalError(location, "expected ", count, " values in '", name,
                            "', found ", values.size());
    return failure();
  }
  for (int64_t value : values) {
    if (mayBeDynamic && ShapedType::isDynamic(value)) {
      continue;
    }
    if (value < low || value > kMaxWindow) {
      bool isLow = value < low;
      (void)emitOptionalError(
          location, "expected values of at ", isLow ? "least " : "most ",
          isLow ? low : kMaxWindow, " in '", name, "', found ", value);
      return failure();
    }
  }
  return SmallVector<int64_t>(values);
}

FailureOr<Window> IE::resolveWindow(std::optional<Location> location,
                                    ArrayRef<int64_t> spatial,
                                    const WindowAttributes &attributes) {
  size_t rank = spatial.size();
  FailureOr<SmallVector<int64_t>> kernel =
      readList(location, "kernel_shape", attributes.kernel, rank, 1, 1,
               attributes.isKernelOperand);
  FailureOr<SmallVector<int64_t>> strides =
      readList(location, "strides", attributes.strides, rank, 1, 1);
  FailureOr<SmallVector<int64_t>> dilations =
      readList(location, "dilations", attributes.dilations, rank, 1, 1);
  FailureOr<SmallVector<int64_t>> pads =
      readList(location, "pads", attributes.pads, 2 * rank, 0, 0);
  if (failed(kernel) || failed(strides) || failed(dilations) || failed(pads)) {
    return failure();
  }
  Window window;
  window.kernel = *kernel;
  window.strides = *strides;
  window.dilations = *dilations;
  window.padsBegin.assign(pads->begin(), pads->begin() + rank);
  window.padsEnd.assign(pads->begin() + rank, pads->end());
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = spatial[i];
    int64_t stride = (*strides)[i];
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic((*kernel)[i])) {
      if (attributes.autoPad != "NOTSET") {
        window.padsBegin[i] = window.padsEnd[i] = ShapedType::kDynamic;
      }
      window.output.push_back(ShapedType::kDynamic);
      continue;
    }
    int64_t extent = ((*kernel)[i] - 1) * (*dilations)[i] + 1;
    if (attributes.autoPad == "VALID") {
      window.padsBegin[i] = window.padsEnd[i] = 0;
    } else if (attributes.autoPad != "NOTSET") {
      int64_t output = ceilDiv(size, stride);
      int64_t total =
          std::max<int64_t>((output - 1) * stride + extent - size, 0);
      // SAME_UPPER puts the odd one at the end.
      int64_t smaller = total / 2, larger = total - smaller;
      bool upper = attributes.autoPad == "SAME_UPPER";
      window.padsBegin[i] = upper ? smaller : larger;
      window.padsEnd[i] = upper ? larger : smaller;
    }
    int64_t padded = size + window.padsBegin[i] + window.padsEnd[i];
    int64_t overhang = attributes.ceilMode ? stride - 1 : 0;
    if (padded + overhang < extent) {
      (void)emitOptionalError(location,
                              "expected a window that fits the padded "
                              "input, found extent ",
                              extent, " over ", padded, " in dimension ", i);
      return failure();
    }
    int64_t output = (padded - extent) / stride + 1;
    if (attributes.ceilMode) {
      output = ceilDiv(padded - extent, stride) + 1;
      // The last window must start inside the input or its leading padding.
      if ((output - 1) * stride >= size + window.padsBegin[i]) {
        --output;
      }
    }
    window.output.push_back(output);
  }
  return window;
}

OpFoldResult SizedWindow::getReach(SizeBuilder &sizes, size_t i) const {
  OpFoldResult steps = sizes.subtract(kernel[i], sizes.number(1));
  return sizes.multiply({steps, sizes.number(dilations[i])});
}

SizedWindow IE::buildWindow(SizeBuilder &sizes, ArrayRef<OpFoldResult> spatial,
                            ArrayRef<OpFoldResult> kernel,
                            const WindowAttributes &attributes) {
  size_t rank = spatial.size();
  auto getList = [&](ArrayRef<int64_t> values, size_t count, int64_t fill) {
    return values.empty() ? SmallVector<int64_t>(count, fill)
                          : SmallVector<int64_t>(values);
  };
  SizedWindow window;
  window.kernel.assign(kernel.begin(), kernel.end());
  window.strides = getList(attributes.strides, rank, 1);
  window.dilations = getList(attributes.dilations, rank, 1);
  SmallVector<int64_t> pads = getList(attributes.pads, 2 * rank, 0);
  OpFoldResult zero = sizes.number(0), one = sizes.number(1);
  for (size_t i = 0; i < rank; ++i) {
    OpFoldResult size = spatial[i];
    OpFoldResult stride = sizes.number(window.strides[i]);
    OpFoldResult reach = window.getReach(sizes, i);
    OpFoldResult begin = sizes.number(pads[i]);
    OpFoldResult end = sizes.number(pads[i + rank]);
    if (attributes.autoPad == "VALID") {
      begin = end = zero;
    } else if (attributes.autoPad != "NOTSET") {
      OpFoldResult last = sizes.subtract(sizes.divideUp(size, stride), one);
      OpFoldResult covered =
          sizes.add(sizes.multiply({last, stride}), sizes.add(reach, one));
      OpFoldResult total = sizes.max(sizes.subtract(covered, size), zero);
      OpFoldResult smaller = sizes.divideDown(total, sizes.number(2));
      OpFoldResult larger = sizes.subtract(total, smaller);
      bool upper = attributes.autoPad == "SAME_UPPER";
      begin = upper ? smaller : larger;
      end = upper ? larger : smaller;
    }
    window.padsBegin.push_back(begin);
    window.padsEnd.push_back(end);
    if (attributes.autoPad.starts_with("SAME")) {
      window.output.push_back(sizes.divideUp(size, stride));
      continue;
    }
    OpFoldResult before = sizes.add(size, begin);
    OpFoldResult padded = sizes.add(before, end);
    int64_t overhang = attributes.ceilMode ? window.strides[i] - 1 : 0;
    sizes.requireAtMost(sizes.add(reach, one), sizes.add(padded, overhang),
                        "a window that does not fit the padded input");
    // One more than how often the stride fits into what the first window
    // leaves. Nothing is left where it does not even fit.
    OpFoldResult rest = sizes.subtract(padded, reach);
    OpFoldResult output = sizes.divideUp(sizes.max(rest, zero), stride);
    if (attributes.ceilMode) {
      OpFoldResult room = sizes.max(sizes.subtract(rest, one), zero);
      output = sizes.add(sizes.divideUp(room, stride), one);
      // The last window must start inside the input or its leading padding.
      OpFoldResult lessOne = sizes.subtract(output, one);
      output = sizes.ifLess(sizes.multiply({lessOne, stride}), before, output,
                            lessOne);
    }
    window.output.push_back(output);
  }
  return window;
}
