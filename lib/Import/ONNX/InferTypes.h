//===- InferTypes.h - Result types of ops to be created ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way in which the importer finds out what an IE op results in.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_INFERTYPES_H
#define NACRE_LIB_IMPORT_ONNX_INFERTYPES_H

#include "mlir/IR/OperationSupport.h"

namespace nacre::onnx_import {

/// Fills in `state.types` from its operands and attributes. Emits an error that
/// names `opType` where they do not fit.
mlir::LogicalResult inferTypes(mlir::OperationState &state,
                               llvm::StringRef opType);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_INFERTYPES_H
