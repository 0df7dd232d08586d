//===- InterpretableOpInterface.h - Evaluation of one op --------*- C++ -*-===//
//
// Declares the interface through which the interpreter evaluates an op.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INTERFACES_INTERPRETABLEOPINTERFACE_H
#define NACRE_INTERFACES_INTERPRETABLEOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

namespace nacre::interpreter {
class Tensor;
} // namespace nacre::interpreter

#include "nacre/Interfaces/InterpretableOpInterface.h.inc"

#endif // NACRE_INTERFACES_INTERPRETABLEOPINTERFACE_H
