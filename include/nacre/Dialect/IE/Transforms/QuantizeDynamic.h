//===- QuantizeDynamic.h - Products by ranges that runs find ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ie-quantize-dynamic pass does, for reports.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEDYNAMIC_H
#define NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEDYNAMIC_H

#include "nacre/Dialect/IE/Transforms/KeepRules.h"
#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"

namespace nacre::IE {

/// Why a product computes floats; empty where it need not.
std::string findDynamicObstacle(mlir::Operation *product,
                                const KeepRules &rules);

/// The weights of a product without an obstacle; its bias stays as it is. Of
/// the options those of weights count.
QuantizedConstants computeDynamicConstants(mlir::Operation *product,
                                           const ConstantOptions &options);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_QUANTIZEDYNAMIC_H
