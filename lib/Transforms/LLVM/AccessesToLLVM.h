//===- AccessesToLLVM.h - Loads and stores with few addresses ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of buffers as LLVM's, for convert-all-to-llvm.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_LLVM_ACCESSESTOLLVM_H
#define NACRE_LIB_TRANSFORMS_LLVM_ACCESSESTOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace nacre {

/// Adds the conversions of `memref.load`, `memref.store`, `vector.load` and
/// `vector.store`, which are tried before upstream's.
void populateAccessesToLLVM(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_LLVM_ACCESSESTOLLVM_H
