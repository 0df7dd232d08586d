//===- Tensor.cpp - Concrete tensors of the interpreter -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage of tensors and their exchange with constant attributes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/Tensor.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace nacre::interpreter;

// Cache line and AVX-512 vector: what kernels may assume of any buffer.
static constexpr size_t kAlignment = 64;

// Up to this many elements a constant prints inline, where folders and readers
// see it; larger ones become blobs.
static constexpr int64_t kMaxDenseElements = 64;

int64_t nacre::interpreter::getElementBytes(Type elementType) {
  if (isa<nacre::IE::StringType>(elementType)) {
    return sizeof(String);
  }
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    return 2 * getElementBytes(complex.getElementType());
  }
  if (!elementType.isIntOrFloat()) {
    return 0;
  }
  if (nacre::IE::isSmallNumber(elementType)) {
    return 1;
  }
  unsigned width = elementType.getIntOrFloatBitWidth();
  if (width == 1) {
    return 1;
  }
  // Compiled code's complex128 have 128.
  return width % 8 == 0 && width <= 128 ? width / 8 : 0;
}

Tensor::Tensor(RankedTensorType type) : type(type) {
  assert(type.hasStaticShape() && "tensors are static");
  size = type.getNumElements() * getElementBytes(type.getElementType());
  // aligned_alloc wants a multiple of the alignment, and never zero bytes.
  size_t bytes = llvm::alignTo(std::max<size_t>(size, 1), kAlignment);
  storage.reset(static_cast<char *>(std::aligned_alloc(kAlignment, bytes)),
                std::free);
  data = storage.get();
  if (!data) {
    llvm::report_bad_alloc_error("no memory for a tensor");
  }
  memset(data, 0, bytes);
  if (hasStrings()) {
    llvm::fill(mutableValues<String>(), String(type.getContext(), ""));
  }
}

Tensor Tensor::borrow(RankedTensorType type, ArrayRef<char> bytes) {
  Tensor tensor;
  tensor.type = type;
  tensor.data = const_cast<char *>(bytes.data());
  tensor.size = bytes.size();
  return tensor;
}

FailureOr<Tensor> Tensor::fromAttr(ElementsAttr attr) {
  auto type = dyn_cast<RankedTensorType>(attr.getType());
  if (!type || !type.hasStaticShape() ||
      getElementBytes(type.getElementType()) == 0) {
    return failure();
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    int64_t elementBytes = getElementBytes(type.getElementType());
    size_t bytes = type.getNumElements() * elementBytes;
    if (!blob || blob->getData().size() != bytes) {
      return failure();
    }
    ArrayRef<char> data = blob->getData();
    // In a model's file elements may lie at any address.
    if (llvm::isAddrAligned(llvm::Align(elementBytes), data.data())) {
      return borrow(type, data);
    }
    Tensor result(type);
    llvm::copy(data, result.getMutableBytes().begin());
    return result;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense) {
    return failure();
  }
  Tensor result(type);
  if (auto strings = dyn_cast<DenseStringElementsAttr>(attr)) {
    ArrayRef<StringRef> texts = strings.getRawStringData();
    for (auto [i, out] : llvm::enumerate(result.mutableValues<String>())) {
      out = String(type.getContext(), texts[strings.isSplat() ? 0 : i]);
    }
    return result;
  }
  if (isa<ComplexType>(type.getElementType()) ||
      type.getElementType().isInteger(128)) {
    ArrayRef<char> raw = dense.getRawData();
    for (MutableArrayRef<char> out = result.getMutableBytes(); !out.empty();
         out = out.drop_front(raw.size())) {
      llvm::copy(raw, out.begin());
    }
    return result;
  }
  if (result.hasSmallNumbers()) {
    bool isFloat = isa<FloatType>(type.getElementType());
    MutableArrayRef<char> out = result.getMutableBytes();
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      APInt bits = isFloat
                       ? (*(dense.value_begin<APFloat>() + i)).bitcastToAPInt()
                       : *(dense.value_begin<APInt>() + i);
      out[i] = static_cast<char>(bits.getZExtValue());
    }
    return result;
  }
  dispatch(type.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    MutableArrayRef<T> out = result.mutableValues<T>();
    if constexpr (std::is_integral_v<T>) {
      int64_t i = 0;
      for (const APInt &value : dense.getValues<APInt>()) {
        out[i++] = static_cast<T>(value.getZExtValue());
      }
    } else {
      int64_t i = 0;
      for (const APFloat &value : dense.getValues<APFloat>()) {
        uint64_t bits = value.bitcastToAPInt().getZExtValue();
        memcpy(&out[i++], &bits, sizeof(T));
      }
    }
  });
  return result;
}

ElementsAttr Tensor::toAttr() const {
  bool isBool = getElementType().isInteger(1);
  if (isBool) {
    return DenseElementsAttr::get(type, values<bool>());
  }
  if (hasStrings()) {
    SmallVector<StringRef> texts(values<String>());
    return DenseStringElementsAttr::get(type, texts);
  }
  if (getNumElements() <= kMaxDenseElements) {
    return DenseElementsAttr::getFromRawBuffer(type, getBytes());
  }
  // The blob's deleter keeps the storage alive; borrowed data is copied, since
  // its owner is unknown.
  Tensor owned = *this;
  if (!storage) {
    owned = Tensor(type);
    memcpy(owned.data, data, size);
  }
  AsmResourceBlob blob(
      owned.getBytes(), kAlignment,
      [keep = owned.storage](void *, size_t, size_t) mutable { keep.reset(); },
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, "folded", std::move(blob));
}

bool Tensor::hasStrings() const {
  return isa<nacre::IE::StringType>(getElementType());
}

bool Tensor::hasSmallNumbers() const {
  return nacre::IE::isSmallNumber(getElementType());
}

Tensor Tensor::withHandles() const {
  static_assert(sizeof(String) == sizeof(int64_t));
  if (hasSmallNumbers()) {
    Type code = IntegerType::get(type.getContext(), 8, IntegerType::Unsigned);
    return withType(RankedTensorType::get(getShape(), code));
  }
  Type handle = IntegerType::get(type.getContext(), 64);
  return hasStrings() ? withType(RankedTensorType::get(getShape(), handle))
                      : *this;
}

Tensor Tensor::withParts() const {
  auto complex = dyn_cast<ComplexType>(getElementType());
  if (!complex) {
    return *this;
  }
  SmallVector<int64_t> shape(getShape());
  shape.push_back(2);
  return withType(RankedTensorType::get(shape, complex.getElementType()));
}

double Tensor::getDouble(int64_t index) const {
  if (hasSmallNumbers()) {
    return nacre::IE::decodeSmallNumber(getElementType(), data[index]);
  }
  return dispatch(getElementType(), [&](auto tag) -> double {
    return static_cast<double>(values<decltype(tag)>()[index]);
  });
}

int64_t Tensor::getInt(int64_t index) const {
  if (hasSmallNumbers()) {
    return static_cast<int64_t>(getDouble(index));
  }
  return dispatch(getElementType(), [&](auto tag) -> int64_t {
    return static_cast<int64_t>(values<decltype(tag)>()[index]);
  });
}

Tensor Tensor::withType(RankedTensorType newType) const {
  Tensor result = *this;
  result.type = newType;
  return result;
}
