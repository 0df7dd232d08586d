//===- SmallNumbers.h - Conversion of small numbers -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that turns float8, float4 and integers of 4 and 2 bits into numbers to
// compute with, and back. Lowered, they are the bytes that
// IE/Utils/SmallNumbers.h describes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_SMALLNUMBERS_H
#define NACRE_LIB_CONVERSION_IETOLINALG_SMALLNUMBERS_H

#include "ScalarEmitter.h"

#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

namespace nacre {

/// The number of a byte whose type in IE is `element`: a float as f32, an
/// integer as i8.
mlir::Value decodeSmallNumber(const ScalarEmitter &e, mlir::Value code,
                              mlir::Type element);

/// The byte of a number, as IE::encodeSmallNumber has it; integers wrap.
mlir::Value encodeSmallNumber(const ScalarEmitter &e, mlir::Value value,
                              mlir::Type element,
                              const IE::CastOptions &options);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_SMALLNUMBERS_H
