//===- RuntimeCalls.cpp - Building calls of the runtime -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the runtime's functions as they are needed.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/RuntimeCalls.h"
#include "nacre-c/Runtime.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/ElementTypes.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace nacre;

int64_t nacre::getRuntimeType(Type element) {
  if (element.isF32()) {
    return NACRE_FLOAT32;
  }
  if (element.isF64()) {
    return NACRE_FLOAT64;
  }
  if (element.isF16()) {
    return NACRE_FLOAT16;
  }
  if (element.isBF16()) {
    return NACRE_BFLOAT16;
  }
  if (isa<IE::StringType>(element)) {
    return NACRE_STRING;
  }
  if (auto complex = dyn_cast<ComplexType>(element)) {
    return complex.getElementType().isF32() ? NACRE_COMPLEX64
                                            : NACRE_COMPLEX128;
  }
  if (isa<Float8E4M3FNType>(element)) {
    return NACRE_FLOAT8E4M3FN;
  }
  if (isa<Float8E4M3FNUZType>(element)) {
    return NACRE_FLOAT8E4M3FNUZ;
  }
  if (isa<Float8E5M2Type>(element)) {
    return NACRE_FLOAT8E5M2;
  }
  if (isa<Float8E5M2FNUZType>(element)) {
    return NACRE_FLOAT8E5M2FNUZ;
  }
  if (isa<Float4E2M1FNType>(element)) {
    return NACRE_FLOAT4E2M1;
  }
  if (isa<Float8E8M0FNUType>(element)) {
    return NACRE_FLOAT8E8M0;
  }
  bool isUnsigned = element.isUnsignedInteger();
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return NACRE_BOOL;
  case 2:
    return isUnsigned ? NACRE_UINT2 : NACRE_INT2;
  case 4:
    return isUnsigned ? NACRE_UINT4 : NACRE_INT4;
  case 8:
    return isUnsigned ? NACRE_UINT8 : NACRE_INT8;
  case 16:
    return isUnsigned ? NACRE_UINT16 : NACRE_INT16;
  case 32:
    return isUnsigned ? NACRE_UINT32 : NACRE_INT32;
  default:
    return isUnsigned ? NACRE_UINT64 : NACRE_INT64;
  }
}

Type nacre::getElementTypeOfRuntime(MLIRContext *context, int64_t type) {
  return IE::findElementType(
      context, [&](Type element) { return getRuntimeType(element) == type; });
}

void RuntimeCalls::declare(StringRef name, FunctionType type) {
  if (!module.lookupSymbol<func::FuncOp>(name)) {
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    func::FuncOp::create(builder, module.getLoc(), name, type).setPrivate();
  }
}

ValueRange RuntimeCalls::call(OpBuilder &builder, Location loc, StringRef name,
                              ValueRange arguments, TypeRange results) {
  declare(name, builder.getFunctionType(arguments.getTypes(), results));
  return func::CallOp::create(builder, loc, name, results, arguments)
      .getResults();
}

static Value buildNumber(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

/// The address of a text, which a module holds once under its symbol.
static Value buildAddress(OpBuilder &builder, Location loc, ModuleOp module,
                          StringRef symbol, StringRef text) {
  auto global = module.lookupSymbol<LLVM::GlobalOp>(symbol);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    global =
        LLVM::GlobalOp::create(builder, module.getLoc(), type,
                               /*isConstant=*/true, LLVM::Linkage::Internal,
                               symbol, builder.getStringAttr(text));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value RuntimeCalls::buildText(OpBuilder &builder, Location loc,
                              StringRef text) {
  // Equal texts share a symbol; different ones of equal hashes must not.
  for (unsigned i = 0;; ++i) {
    std::string symbol =
        "nacre_text_" + llvm::utohexstr(llvm::xxh3_64bits(text) + i);
    auto known = module.lookupSymbol<LLVM::GlobalOp>(symbol);
    // An array has an element at least.
    std::string stored = text.empty() ? std::string(1, '\0') : text.str();
    if (!known || cast<StringAttr>(*known.getValue()).getValue() == stored) {
      return buildAddress(builder, loc, module, symbol, stored);
    }
  }
}

Value RuntimeCalls::buildName(OpBuilder &builder, Location loc,
                              StringRef name) {
  return buildAddress(builder, loc, module, ("nacre_name_" + name).str(),
                      (name + Twine('\0')).str());
}

void RuntimeCalls::checkList(OpBuilder &builder, Location loc, Value handle,
                             Type type, StringRef name) {
  if (auto map = dyn_cast<IE::MapType>(type)) {
    call(builder, loc, "nacre_check_map",
         {handle, buildNumber(builder, loc, getRuntimeType(map.getKey())),
          buildNumber(builder, loc, getRuntimeType(map.getValue())),
          buildName(builder, loc, name)},
         {});
    return;
  }
  StringRef function = isa<IE::SequenceType>(type) ? "nacre_check_sequence"
                                                   : "nacre_check_optional";
  call(builder, loc, function, {handle, buildName(builder, loc, name)}, {});
}

void RuntimeCalls::checkTensor(OpBuilder &builder, Location loc, Value handle,
                               Type element, int64_t rank, StringRef name) {
  Value address = buildName(builder, loc, name);
  call(builder, loc, "nacre_check_tensor",
       {handle, buildNumber(builder, loc, getRuntimeType(element)),
        buildNumber(builder, loc, rank), address},
       {});
}

void RuntimeCalls::checkDim(OpBuilder &builder, Location loc, Value handle,
                            int64_t dim, Value size, StringRef name) {
  call(builder, loc, "nacre_check_dim",
       {handle, buildNumber(builder, loc, dim), size,
        buildName(builder, loc, name)},
       {});
}

Value RuntimeCalls::getDim(OpBuilder &builder, Location loc, Value handle,
                           int64_t dim) {
  return call(builder, loc, "nacre_tensor_dim",
              {handle, buildNumber(builder, loc, dim)}, builder.getIndexType())
      .front();
}

/// `data`, which points to that many elements, as a buffer of `type`.
static Value buildView(OpBuilder &builder, Location loc, Value data,
                       RankedTensorType type, ValueRange sizes) {
  SmallVector<Value> dynamicSizes;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (type.isDynamicDim(i)) {
      dynamicSizes.push_back(size);
    }
  }
  Value start = arith::ConstantIndexOp::create(builder, loc, 0);
  return memref::ViewOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      data, start, dynamicSizes);
}

static MemRefType getDataType(Builder &builder) {
  return MemRefType::get({1}, builder.getI8Type());
}

Value RuntimeCalls::unpack(OpBuilder &builder, Location loc, Value handle) {
  return call(builder, loc, "nacre_tensor_unpack", handle, handle.getType())
      .front();
}

Value RuntimeCalls::buildTensor(OpBuilder &builder, Location loc, Value handle,
                                RankedTensorType type, ValueRange sizes) {
  Value data =
      call(builder, loc, "nacre_tensor_data", handle, getDataType(builder))
          .front();
  Value view = buildView(builder, loc, data, type, sizes);
  return bufferization::ToTensorOp::create(builder, loc, type, view,
                                           /*restrict=*/true,
                                           /*writable=*/false);
}

Value RuntimeCalls::buildHandle(OpBuilder &builder, Location loc, Value tensor,
                                Type element, Value place) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (IE::isPacked(element)) {
    Type bytes = builder.getIntegerType(8, /*isSigned=*/false);
    Value unpacked = buildHandle(builder, loc, tensor, bytes, place);
    return call(builder, loc, "nacre_tensor_pack",
                {unpacked, buildNumber(builder, loc, getRuntimeType(element))},
                unpacked.getType())
        .front();
  }
  Value handle, view;
  {
    OpBuilder::InsertionGuard guard(builder);
    tensor::EmptyOp empty;
    if (place) {
      empty = cast<tensor::EmptyOp>(place.getDefiningOp());
      builder.setInsertionPoint(empty);
    }
    handle = call(builder, loc, "nacre_tensor_new",
                  {buildNumber(builder, loc, getRuntimeType(element)),
                   buildNumber(builder, loc, type.getRank())},
                  LLVM::LLVMPointerType::get(builder.getContext()))
                 .front();
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      sizes.push_back(
          empty ? getValueOrCreateConstantIndexOp(builder, loc,
                                                  empty.getMixedSizes()[i])
                : tensor::DimOp::create(builder, loc, tensor, i).getResult());
      call(builder, loc, "nacre_tensor_set_dim",
           {handle, buildNumber(builder, loc, i), sizes.back()}, {});
    }
    Value data = call(builder, loc, "nacre_tensor_allocate", handle,
                      getDataType(builder))
                     .front();
    view = buildView(builder, loc, data, type, sizes);
  }
  bufferization::MaterializeInDestinationOp::create(
      builder, loc, /*result=*/Type(), tensor, view, /*restrict=*/true,
      /*writable=*/true);
  if (isa<IE::StringType>(element)) {
    // They belong to another value, or to nobody for long.
    call(builder, loc, "nacre_tensor_own_strings", handle, {});
  }
  return handle;
}
