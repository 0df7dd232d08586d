//===- Node.h - One ONNX node during import ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node with its operands resolved and attributes converted: what adapters of
// older operator set versions rewrite before the IE op is created.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_NODE_H
#define NACRE_LIB_IMPORT_ONNX_NODE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"

namespace nacre::onnx_import {

/// What ONNX calls an attribute of this class.
template <typename AttrT> inline constexpr const char *kKindName = nullptr;
template <> inline constexpr const char *kKindName<mlir::IntegerAttr> = "INT";
template <> inline constexpr const char *kKindName<mlir::FloatAttr> = "FLOAT";
template <> inline constexpr const char *kKindName<mlir::StringAttr> = "STRING";
template <>
inline constexpr const char *kKindName<mlir::ElementsAttr> = "TENSOR";
template <>
inline constexpr const char *kKindName<mlir::DenseI64ArrayAttr> = "INTS";
template <>
inline constexpr const char *kKindName<mlir::DenseF32ArrayAttr> = "FLOATS";
template <> inline constexpr const char *kKindName<mlir::ArrayAttr> = "STRINGS";

struct Node {
  std::string opType;
  int64_t opset = 0;
  mlir::Location loc;
  /// Null for an omitted optional input.
  llvm::SmallVector<mlir::Value> inputs;
  llvm::MapVector<llvm::StringRef, mlir::Attribute> attributes;
  /// Outputs that anything uses, counted from the first.
  unsigned numOutputs = 1;
  /// Set by an adapter or expansion that built the results itself.
  llvm::SmallVector<mlir::Value> results;
  struct Output {
    bool isNamed = false;
    /// What the model says about it; null where it says nothing.
    mlir::RankedTensorType declared;
  };
  llvm::SmallVector<Output> outputs;

  /// Set once an attribute was of another kind than asked for, which was told.
  bool hasMisfit = false;

  mlir::Attribute take(llvm::StringRef name);
  /// Null where there is no such attribute, and where it is of another kind:
  /// then the import fails.
  template <typename AttrT> AttrT take(llvm::StringRef name) {
    mlir::Attribute value = take(name);
    auto result = llvm::dyn_cast_if_present<AttrT>(value);
    if (value && !result) {
      reportMisfit(name, value, kKindName<AttrT>);
    }
    return result;
  }
  void reportMisfit(llvm::StringRef name, mlir::Attribute found,
                    llvm::StringRef expected);
  mlir::Value getInput(unsigned i) const {
    return i < inputs.size() ? inputs[i] : mlir::Value();
  }
  void setInput(unsigned i, mlir::Value value);
};

/// Rewrites `node` from the version of its operator set to IE's (the newest)
/// semantics. Emits an error and fails for a use that IE does not support;
/// `unsupported` tells that from malformed input.
mlir::LogicalResult adaptToNewestOpset(mlir::OpBuilder &builder, Node &node,
                                       bool &unsupported);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_NODE_H
