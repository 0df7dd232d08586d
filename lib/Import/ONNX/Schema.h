//===- Schema.h - ONNX's definitions of operators ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a node has to look like before adapters, expansions and type inference
// may rely on it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_SCHEMA_H
#define NACRE_LIB_IMPORT_ONNX_SCHEMA_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <onnx/onnx_pb.h>

namespace onnx {
class OpSchema;
} // namespace onnx

namespace nacre::onnx_import {

/// ONNX's definition of an operator; null where it has none.
const onnx::OpSchema *findSchema(const std::string &opType,
                                 llvm::StringRef domain, int64_t opset);

/// Emits an error and fails for an operator set below the first.
mlir::LogicalResult checkOpset(const onnx::OperatorSetIdProto &import,
                               mlir::Location loc);

/// Emits an error and fails where the node contradicts its operator's
/// definition: an attribute that is required and missing or of another kind, or
/// too few inputs. What ONNX does not define passes.
mlir::LogicalResult checkSignature(const onnx::NodeProto &proto, int64_t opset,
                                   mlir::Location loc);

/// Likewise for an input that is a tensor where ONNX wants a sequence, or the
/// like.
mlir::LogicalResult checkKindsOfInputs(const onnx::NodeProto &proto,
                                       llvm::ArrayRef<mlir::Value> inputs,
                                       mlir::Location loc);

/// The inputs that an operator cannot do without, by its name after an adapter
/// has changed it.
unsigned getMinInputs(const onnx::NodeProto &proto, llvm::StringRef opType);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_SCHEMA_H
