//===- Compare.cpp - Outputs beside the expected ones ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far results may be from what is expected, and how far they are.
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "TensorText.h"

#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::String;
using interpreter::Tensor;

namespace {

struct Difference {
  double worstAbsolute = 0;
  double worstRelative = 0;
  int64_t mismatches = 0;
  double signal = 0, noise = 0; // sums of squares

  double getDecibels() const {
    return noise == 0 ? std::numeric_limits<double>::infinity()
                      : 10 * std::log10(signal / noise);
  }
};

} // namespace

/// Small numbers and the parts of complex ones as floats.
static Tensor asFloats(const Tensor &tensor) {
  if (!tensor.hasSmallNumbers()) {
    return tensor.withParts();
  }
  Type f32 = Float32Type::get(tensor.getType().getContext());
  Tensor wide(tensor.getType().clone(f32));
  for (auto [i, value] : llvm::enumerate(wide.mutableValues<float>())) {
    value = static_cast<float>(tensor.getDouble(static_cast<int64_t>(i)));
  }
  return wide;
}

/// The largest finite magnitude among a tensor's elements.
static double getLargest(const Tensor &tensor) {
  double largest = 0;
  interpreter::dispatch(tensor.getElementType(), [&](auto tag) {
    for (auto element : tensor.values<decltype(tag)>()) {
      double magnitude = std::abs(static_cast<double>(element));
      if (std::isfinite(magnitude)) {
        largest = std::max(largest, magnitude);
      }
    }
  });
  return largest;
}

/// One unit in the last place of numbers of `type`, relative to the smallest of
/// them with the same exponent.
static double getLastPlace(FloatType type) {
  int precision = APFloat::semanticsPrecision(type.getFloatSemantics());
  return std::ldexp(1.0, 1 - precision);
}

/// `element` is what `actual` and `expected` were before they were widened.
static Difference compare(const Tensor &actual, const Tensor &expected,
                          Type element, const Tolerance &tolerance) {
  Difference result;
  if (actual.hasStrings()) {
    for (auto [x, y] :
         llvm::zip_equal(actual.values<String>(), expected.values<String>())) {
      result.mismatches += StringRef(x) != StringRef(y);
    }
    return result;
  }
  double absolute = tolerance.absolute;
  if (tolerance.ofLargest > 0) {
    absolute += tolerance.ofLargest * getLargest(expected);
  }
  double relative = tolerance.relative;
  auto floatType = dyn_cast<FloatType>(element);
  if (floatType && tolerance.allowsLastPlace) {
    relative = std::max(relative, getLastPlace(floatType));
  }
  interpreter::dispatch(actual.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    for (auto [x, y] :
         llvm::zip_equal(actual.values<T>(), expected.values<T>())) {
      double a = static_cast<double>(x), b = static_cast<double>(y);
      if (std::isfinite(b)) {
        result.signal += b * b;
      }
      double difference = std::abs(a - b);
      if (!floatType) {
        result.noise += difference * difference;
        result.worstAbsolute = std::max(result.worstAbsolute, difference);
        // Those beyond 2^53 may differ and be equal as doubles.
        double limit =
            tolerance.integerAbsolute + tolerance.integerRelative * std::abs(b);
        result.mismatches += x != y && (limit == 0 || difference > limit);
        continue;
      }
      if (a == b || (std::isnan(a) && std::isnan(b))) {
        continue;
      }
      if (!std::isfinite(difference)) {
        result.worstAbsolute = result.worstRelative = result.noise =
            std::numeric_limits<double>::infinity();
        ++result.mismatches;
        continue;
      }
      result.noise += difference * difference;
      result.worstAbsolute = std::max(result.worstAbsolute, difference);
      if (b != 0) {
        result.worstRelative =
            std::max(result.worstRelative, difference / std::abs(b));
      }
      result.mismatches += difference > absolute + relative * std::abs(b);
    }
  });
  return result;
}

SmallVector<NamedTensor> driver::flatten(StringRef name, const Datum &datum) {
  if (datum.isTensor()) {
    return {NamedTensor{name.str(), datum.getTensor()}};
  }
  SmallVector<NamedTensor> tensors;
  if (datum.isMap()) {
    return {{(name + ".keys").str(), datum.getElements()[0].getTensor()},
            {(name + ".values").str(), datum.getElements()[1].getTensor()}};
  }
  for (auto [i, element] : llvm::enumerate(datum.getElements())) {
    llvm::append_range(tensors,
                       flatten((name + "[" + Twine(i) + "]").str(), element));
  }
  return tensors;
}

/// Compares and prints one tensor.
static bool compareTensors(StringRef name, const Tensor &actual,
                           const Tensor &expected, const Tolerance &tolerance,
                           llvm::raw_ostream &os) {
  os << "  " << name << ": ";
  // What another model computes has types of another context.
  if (describeType(actual) != describeType(expected)) {
    os << "expected " << expected.getType() << ", found " << actual.getType()
       << "\n";
    return false;
  }
  Type element = actual.withParts().getElementType();
  Difference difference =
      compare(asFloats(actual), asFloats(expected), element, tolerance);
  if (actual.hasStrings()) {
    os << difference.mismatches << " of " << actual.getNumElements()
       << " strings differ\n";
    return difference.mismatches == 0;
  }
  os << "max abs diff " << llvm::format("%.3g", difference.worstAbsolute)
     << ", max rel diff " << llvm::format("%.3g", difference.worstRelative)
     << ", snr " << llvm::format("%.1f", difference.getDecibels()) << " dB";
  if (tolerance.decibels) {
    bool isNear = difference.getDecibels() >= *tolerance.decibels;
    if (!isNear) {
      os << ", below " << llvm::format("%g", *tolerance.decibels) << " dB";
    }
    os << "\n";
    return isNear;
  }
  if (difference.mismatches > 0) {
    os << ", " << difference.mismatches << " of " << actual.getNumElements()
       << " elements out of tolerance";
  }
  os << "\n";
  return difference.mismatches == 0;
}

FailureOr<Tolerance> driver::readTolerance(const Arguments &arguments,
                                           Tolerance otherwise) {
  constexpr double kHuge = 1e30;
  bool hasRelative = arguments.has("--rtol");
  bool hasAbsolute = arguments.has("--atol"), hasRatio = arguments.has("--snr");
  FailureOr<double> relative =
      arguments.getNumber("--rtol", otherwise.relative, 0, kHuge);
  FailureOr<double> absolute =
      arguments.getNumber("--atol", otherwise.absolute, 0, kHuge);
  FailureOr<double> decibels = arguments.getNumber("--snr", 0, -1000, 1000);
  if (failed(relative) || failed(absolute) || failed(decibels)) {
    return failure();
  }
  if (hasRatio && (hasRelative || hasAbsolute)) {
    printError() << "--snr replaces --rtol and --atol; give either\n";
    return failure();
  }
  Tolerance tolerance = otherwise;
  if (hasRatio) {
    tolerance.decibels = *decibels;
  }
  if (hasRelative || hasAbsolute) {
    tolerance.relative = *relative;
    tolerance.absolute = *absolute;
    tolerance.ofLargest = 0;
    tolerance.allowsLastPlace = false;
    tolerance.integerRelative = hasRelative ? *relative : 0;
    tolerance.integerAbsolute = hasAbsolute ? *absolute : 0;
  }
  return tolerance;
}

bool driver::compareOutputs(const Session &session, ArrayRef<Datum> actual,
                            ArrayRef<Datum> expected,
                            const Tolerance &tolerance, llvm::raw_ostream &os) {
  bool same = true;
  for (auto [output, x, y] :
       llvm::zip_equal(session.getInterface().outputs, actual, expected)) {
    // Integers are compared as what they stand for where that is expected.
    bool wantsFloats =
        y.isTensor() && isa<FloatType>(y.getTensor().getElementType());
    SmallVector<NamedTensor> found =
        flatten(output.name, wantsFloats ? driver::asFloats(x, output) : x);
    SmallVector<NamedTensor> wanted = flatten(output.name, y);
    if (found.size() != wanted.size()) {
      os << "  " << output.name << ": expected " << wanted.size()
         << " tensors, found " << found.size() << "\n";
      same = false;
      continue;
    }
    for (auto [a, b] : llvm::zip_equal(found, wanted)) {
      same &= compareTensors(a.name, a.value, b.value, tolerance, os);
    }
  }
  return same;
}
