//===- InterpretableOpInterface.cpp - Evaluation of one op ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines the generated parts of the interpreter's op interface.
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/InterpretableOpInterface.h"
#include "nacre/Interpreter/Datum.h"

#include "nacre/Interpreter/InterpretableOpInterface.cpp.inc"
