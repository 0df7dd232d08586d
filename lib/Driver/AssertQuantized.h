//===- AssertQuantized.h - Nothing left in f32 ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --assert-quantized asks for.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_ASSERTQUANTIZED_H
#define NACRE_LIB_DRIVER_ASSERTQUANTIZED_H

#include "Arguments.h"
#include "Session.h"

namespace nacre::driver {

/// The option, of the commands that write a quantized model.
OptionSpec getAssertQuantizedOption();

/// Fails, after an error, where the command line has the option and nothing
/// is quantized.
mlir::LogicalResult requireAssertable(const Arguments &arguments,
                                      const Session &session);

/// Where the command line has the option: fails, after an error for each,
/// where products of the module, prepared for quantization, would stay f32
/// that nobody has said so of. The session then has the exit code for models
/// that are not supported.
mlir::LogicalResult assertQuantized(const Arguments &arguments,
                                    mlir::ModuleOp module, Session &session);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_ASSERTQUANTIZED_H
