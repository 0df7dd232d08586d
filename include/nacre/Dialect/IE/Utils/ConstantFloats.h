//===- ConstantFloats.h - The elements of constants -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the f32 and f64 elements of constants, some of which lie in a model's
// file.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_CONSTANTFLOATS_H
#define NACRE_DIALECT_IE_UTILS_CONSTANTFLOATS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <cstring>
#include <vector>

namespace nacre::IE {

/// The f32 or f64 elements of a constant, which are read where they are. Those
/// that lie in a model's file may be at any address.
class ConstantFloats {
public:
  explicit ConstantFloats(mlir::Value value);
  /// False when the value is no constant of such elements.
  explicit operator bool() const { return static_cast<bool>(elementType); }
  mlir::Type getElementType() const { return elementType; }
  /// An element, which f64 holds exactly.
  double operator[](size_t i) const {
    return isDouble ? read<double>(i) : read<float>(i);
  }
  size_t size() const {
    return elementType ? bytes.size() * 8 / elementType.getIntOrFloatBitWidth()
                       : 0;
  }
  /// All of them, each in T.
  template <typename T> std::vector<T> getAll() const {
    std::vector<T> result;
    result.reserve(size());
    for (size_t i = 0, e = size(); i < e; ++i) {
      result.push_back(static_cast<T>((*this)[i]));
    }
    return result;
  }

private:
  template <typename T> T read(size_t i) const {
    T element;
    std::memcpy(&element, bytes.data() + i * sizeof(element), sizeof(element));
    return element;
  }
  template <typename T> void readDense(mlir::DenseElementsAttr dense);

  mlir::Type elementType;
  /// What the type says, which is asked for each element.
  bool isDouble = false;
  llvm::ArrayRef<char> bytes;
  llvm::SmallVector<char, 0> storage;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_CONSTANTFLOATS_H
