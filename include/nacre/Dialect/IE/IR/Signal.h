//===- Signal.h - Spectra of signals ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: spectra of signals.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SIGNAL_H
#define NACRE_DIALECT_IE_IR_SIGNAL_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Signal.h.inc"

#endif // NACRE_DIALECT_IE_IR_SIGNAL_H
