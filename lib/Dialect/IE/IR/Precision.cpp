//===- Precision.cpp - Ops and floats of 16 bits --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Precision.h"

using namespace mlir;

#include "nacre/Dialect/IE/IR/PrecisionInterface.cpp.inc"
