//===- ConstantFloats.h - The elements of constants -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the f32 elements of constants, some of which lie in a model's file.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_CONSTANTFLOATS_H
#define NACRE_DIALECT_IE_UTILS_CONSTANTFLOATS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <cstring>

namespace nacre::IE {

/// The f32 elements of a constant, which are read where they are. Those that
/// lie in a model's file may be at any address.
class ConstantFloats {
public:
  explicit ConstantFloats(mlir::Value value);
  /// False when the value is no constant of f32 elements.
  explicit operator bool() const { return valid; }
  float operator[](size_t i) const {
    float element;
    std::memcpy(&element, bytes.data() + i * sizeof(element), sizeof(element));
    return element;
  }
  size_t size() const { return bytes.size() / sizeof(float); }
  /// All of them, copied where they are not aligned.
  llvm::ArrayRef<float> get();

private:
  bool valid = false;
  llvm::ArrayRef<char> bytes;
  llvm::SmallVector<float, 0> storage;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_CONSTANTFLOATS_H
