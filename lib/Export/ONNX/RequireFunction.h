//===- RequireFunction.h - IE.Require in ONNX -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX has no operator that ends a run. Where a model needs one, it has a
// function of its own.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EXPORT_ONNX_REQUIREFUNCTION_H
#define NACRE_LIB_EXPORT_ONNX_REQUIREFUNCTION_H

#include "llvm/ADT/StringRef.h"

#include <onnx/onnx_pb.h>

namespace nacre::onnx_export {

/// The domain of what is nacre's alone.
inline constexpr llvm::StringLiteral kDomain = "nacre";

/// Writes Require(x, condition) {message}, which is `x` where the condition,
/// one element, holds. Where it does not, an index out of range ends the run,
/// of which the importer need know nothing: it has an op of that name.
void writeRequireFunction(onnx::FunctionProto &function, int64_t opset);

} // namespace nacre::onnx_export

#endif // NACRE_LIB_EXPORT_ONNX_REQUIREFUNCTION_H
