//===- GettingStarted.h - The tutorial's op, attribute, type and interface -*-
//C++ -*-===//
//
// Declares the IE operator family: the tutorial's op, attribute, type and
// interface.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_GETTINGSTARTED_H
#define NACRE_DIALECT_IE_IR_GETTINGSTARTED_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/GettingStarted.h.inc"

#endif // NACRE_DIALECT_IE_IR_GETTINGSTARTED_H
