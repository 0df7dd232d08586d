//===- TensorText.cpp - Tensors for people and other programs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorText.h"

#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Emit/ModelInterface.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::String;
using interpreter::Tensor;

std::string driver::describeType(const Tensor &tensor) {
  std::string text = getElementTypeName(tensor.getElementType()) + "[";
  llvm::raw_string_ostream stream(text);
  llvm::interleave(tensor.getShape(), stream, ",");
  return text + "]";
}

FailureOr<TensorRange> driver::measureRange(const Tensor &value) {
  if (value.hasStrings() || value.getNumElements() == 0) {
    return failure();
  }
  Tensor tensor = value.withParts();
  TensorRange range;
  double sum = 0;
  int64_t count = 0;
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    double number = tensor.getDouble(i);
    if (std::isnan(number)) {
      ++range.numNaN;
      continue;
    }
    range.numInfinite += std::isinf(number);
    range.min = count == 0 ? number : std::min(range.min, number);
    range.max = count == 0 ? number : std::max(range.max, number);
    sum += number;
    ++count;
  }
  if (count == 0) {
    range.min = range.max = std::numeric_limits<double>::quiet_NaN();
  }
  range.mean = sum / static_cast<double>(count);
  return range;
}

/// One element, in `digits` digits where it is a float.
static void printElement(const Tensor &tensor, int64_t index, int digits,
                         llvm::raw_ostream &os) {
  if (tensor.hasStrings()) {
    os << '"';
    llvm::printEscapedString(tensor.values<String>()[index], os);
    os << '"';
  } else if (isa<FloatType>(tensor.getElementType())) {
    os << llvm::format("%.*g", digits, tensor.getDouble(index));
  } else if (tensor.getElementType().isUnsignedInteger()) {
    os << static_cast<uint64_t>(tensor.getInt(index));
  } else {
    os << tensor.getInt(index);
  }
}

namespace {
/// Prints the elements of a tensor from one dimension to the next.
class ElementPrinter {
public:
  ElementPrinter(const Tensor &tensor, llvm::raw_ostream &os)
      : tensor(tensor), strides(computeStrides(tensor.getShape())), os(os) {}

  void print(int64_t dim, int64_t offset) {
    constexpr int64_t kShown = 3;
    constexpr int kDigits = 6;
    if (dim == tensor.getRank()) {
      printElement(tensor, offset, kDigits, os);
      return;
    }
    bool isRow = dim + 1 == tensor.getRank();
    int64_t size = tensor.getDim(dim);
    auto separate = [&] {
      os << (isRow ? " " : "\n" + std::string(dim + 1, ' '));
    };
    os << "[";
    for (int64_t i = 0; i < size; ++i) {
      if (i > 0) {
        separate();
      }
      if (i == kShown && size > 2 * kShown) {
        os << "…";
        separate();
        i = size - kShown;
      }
      print(dim + 1, offset + i * strides[dim]);
    }
    os << "]";
  }

private:
  const Tensor &tensor;
  SmallVector<int64_t> strides;
  llvm::raw_ostream &os;
};
} // namespace

void driver::printElements(const Tensor &value, llvm::raw_ostream &os) {
  Tensor tensor = value.withParts();
  ElementPrinter(tensor, os).print(0, 0);
  os << "\n";
}

void driver::writeLines(const Tensor &value, llvm::raw_ostream &os) {
  constexpr int kDigitsOfFloat = 9, kDigitsOfDouble = 17;
  Tensor tensor = value.withParts();
  int digits =
      tensor.getElementType().isF64() ? kDigitsOfDouble : kDigitsOfFloat;
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    printElement(tensor, i, digits, os);
    os << "\n";
  }
}

void driver::writeBytes(const Tensor &tensor, llvm::raw_ostream &os) {
  if (!tensor.hasStrings()) {
    Type element = tensor.getElementType();
    bool isPacked = element.isSignlessInteger() && IE::isPacked(element);
    for (char code : isPacked ? tensor.getBytes() : ArrayRef<char>()) {
      os << static_cast<char>(IE::decodeSmallNumber(element, code));
    }
    if (!isPacked) {
      os.write(tensor.getBytes().data(), tensor.getBytes().size());
    }
    return;
  }
  for (StringRef text : tensor.values<String>()) {
    char length[sizeof(uint32_t)];
    llvm::support::endian::write32le(length,
                                     static_cast<uint32_t>(text.size()));
    os << StringRef(length, sizeof(length)) << text;
  }
}
