//===- Listings.h - Listings of programs ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --dump-listing shows, at either of its levels.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_LISTINGS_H
#define NACRE_LIB_DRIVER_LISTINGS_H

#include "nacre/Listing/Listing.h"

#include "mlir/IR/BuiltinOps.h"

namespace nacre::driver {

/// Multiply-accumulates of an op; nothing for what is no product, or has
/// dynamic sizes.
using CountMACs = llvm::function_ref<std::optional<double>(mlir::Operation *)>;

/// An instruction for each op of @main on IE, and buffers as nacre could give
/// them places. Fails after an error where there is no such function.
mlir::FailureOr<listing::Function> listGraph(mlir::ModuleOp module,
                                             CountMACs countMACs);

/// An instruction for each kernel that @main calls, and the places that
/// plan-memory gave buffers: what runs. For a module as outline-kernels leaves
/// it.
mlir::FailureOr<listing::Function> listKernels(mlir::ModuleOp module);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_LISTINGS_H
