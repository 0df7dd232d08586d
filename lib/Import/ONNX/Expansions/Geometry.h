//===- Geometry.h - What expansions of windows share ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of windows, and operators of the family with a file of their
// own.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_EXPANSIONS_GEOMETRY_H
#define NACRE_LIB_IMPORT_ONNX_EXPANSIONS_GEOMETRY_H

#include "Expander.h"

namespace nacre::onnx_import {

/// An INTS attribute of one value for each of `count` dimensions.
llvm::SmallVector<int64_t> takeInts(Expander &e, llvm::StringRef name,
                                    size_t count, int64_t otherwise);

void expandCol2Im(Expander &e);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_EXPANSIONS_GEOMETRY_H
