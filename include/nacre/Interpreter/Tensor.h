//===- Tensor.h - Concrete tensors of the interpreter -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense row-major tensor with a static MLIR type, and the dispatch from MLIR
// element types to C++ types that the kernels are written in.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INTERPRETER_TENSOR_H
#define NACRE_INTERPRETER_TENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include <memory>

namespace nacre::interpreter {

/// IEEE half precision and bfloat16 as storage types: they convert to and from
/// float, arithmetic happens in float.
template <llvm::APFloat::Semantics semantics> struct Float16 {
  uint16_t bits = 0;

  Float16() = default;
  Float16(float value) {
    llvm::APFloat wide(value);
    bool lossy;
    wide.convert(llvm::APFloat::EnumToSemantics(semantics),
                 llvm::APFloat::rmNearestTiesToEven, &lossy);
    bits = static_cast<uint16_t>(wide.bitcastToAPInt().getZExtValue());
  }
  operator float() const {
    llvm::APFloat wide(llvm::APFloat::EnumToSemantics(semantics),
                       llvm::APInt(16, bits));
    return wide.convertToFloat();
  }
};
using Half = Float16<llvm::APFloat::S_IEEEhalf>;
using BFloat16 = Float16<llvm::APFloat::S_BFloat>;

/// An element of a tensor of strings, which live as long as the MLIR context.
/// Equal strings have equal handles.
struct String {
  const void *handle = nullptr;

  String() = default;
  String(mlir::MLIRContext *context, llvm::StringRef text)
      : handle(mlir::StringAttr::get(context, text).getAsOpaquePointer()) {}
  operator llvm::StringRef() const {
    return mlir::StringAttr::getFromOpaquePointer(handle).getValue();
  }
};

/// Calls `visit` with a value-initialised object of the C++ type that stores
/// `elementType` (bool for i1, uint8_t for ui8, Half for f16 …). Every number
/// of IE is covered but small ones (SmallNumbers.h), which only conversions
/// compute with; other types are a programming error.
template <typename Visitor>
auto dispatch(mlir::Type elementType, Visitor &&visit) {
  if (elementType.isF32()) {
    return visit(float());
  }
  if (elementType.isF64()) {
    return visit(double());
  }
  if (elementType.isF16()) {
    return visit(Half());
  }
  if (elementType.isBF16()) {
    return visit(BFloat16());
  }
  auto integer = llvm::cast<mlir::IntegerType>(elementType);
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return visit(bool());
  case 8:
    return isUnsigned ? visit(uint8_t()) : visit(int8_t());
  case 16:
    return isUnsigned ? visit(uint16_t()) : visit(int16_t());
  case 32:
    return isUnsigned ? visit(uint32_t()) : visit(int32_t());
  case 64:
    return isUnsigned ? visit(uint64_t()) : visit(int64_t());
  default:
    llvm_unreachable("element type without a storage type");
  }
}

/// Bytes one element occupies (1 for bool); 0 for a type the interpreter
/// cannot hold.
int64_t getElementBytes(mlir::Type elementType);

/// A dense, row-major tensor. Copies share the storage; writing to a tensor
/// whose storage is borrowed or shared is the writer's responsibility: kernels
/// write only to the results they are given.
class Tensor {
public:
  Tensor() = default;

  /// Allocates a tensor of a static type, filled with zeros or empty strings.
  explicit Tensor(mlir::RankedTensorType type);

  /// Views `data` (row-major, `type`'s elements), which must outlive the
  /// tensor.
  static Tensor borrow(mlir::RankedTensorType type, llvm::ArrayRef<char> data);

  /// The value of a constant. Resource blobs are viewed, not copied, unless
  /// their elements are not aligned. Fails on attributes without static data.
  static mlir::FailureOr<Tensor> fromAttr(mlir::ElementsAttr attr);

  /// The tensor as an attribute: dense when it is small or bool, else a
  /// resource blob that shares the storage.
  mlir::ElementsAttr toAttr() const;

  mlir::RankedTensorType getType() const { return type; }
  mlir::Type getElementType() const { return type.getElementType(); }
  llvm::ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getRank() const { return type.getRank(); }
  int64_t getDim(int64_t i) const { return type.getDimSize(i); }
  int64_t getNumElements() const { return type.getNumElements(); }

  llvm::ArrayRef<char> getBytes() const { return {data, size}; }
  llvm::MutableArrayRef<char> getMutableBytes() { return {data, size}; }

  /// The elements as the C++ type that stores them; `T` must match.
  template <typename T> llvm::ArrayRef<T> values() const {
    return llvm::ArrayRef<T>(reinterpret_cast<const T *>(data),
                             size / sizeof(T));
  }
  template <typename T> llvm::MutableArrayRef<T> mutableValues() {
    return llvm::MutableArrayRef<T>(reinterpret_cast<T *>(data),
                                    size / sizeof(T));
  }

  bool hasStrings() const;
  bool hasSmallNumbers() const;
  /// Shares the elements; handles of strings and codes of small numbers become
  /// integers, for kernels that move elements or compare them for identity.
  Tensor withHandles() const;

  /// Shares the elements; complex numbers become a last dimension of their two
  /// parts. Other tensors stay as they are.
  Tensor withParts() const;

  /// One element, converted. For index arithmetic and rarely run code.
  double getDouble(int64_t index) const;
  int64_t getInt(int64_t index) const;

  /// The same elements under another type of as many elements of the same
  /// width.
  Tensor withType(mlir::RankedTensorType newType) const;

private:
  mlir::RankedTensorType type;
  std::shared_ptr<char> storage;
  char *data = nullptr;
  size_t size = 0;
};

} // namespace nacre::interpreter

#endif // NACRE_INTERPRETER_TENSOR_H
