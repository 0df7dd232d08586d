//===- InterpretableOpInterface.cpp - Evaluation of one op ----------------===//
//
// Defines the generated parts of the interpreter's op interface.
//
//===----------------------------------------------------------------------===//

#include "nacre/Interfaces/InterpretableOpInterface.h"
#include "nacre/Interpreter/Datum.h"

#include "nacre/Interfaces/InterpretableOpInterface.cpp.inc"
