//===- ElementTypeProbe.h - The element types of an operation ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation takes is in its definition, as constraints that its
// verifier checks: it is asked.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_ELEMENTTYPEPROBE_H
#define NACRE_LIB_DRIVER_ELEMENTTYPEPROBE_H

#include "mlir/IR/OperationSupport.h"

#include <string>

namespace nacre::driver {

/// The element types that the first operand of an operation may have, in words:
/// those of ONNX, of which float, int, uint and small stand for all of a kind.
/// Empty where the first operand is no tensor.
std::string getElementTypes(mlir::RegisteredOperationName name);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_ELEMENTTYPEPROBE_H
