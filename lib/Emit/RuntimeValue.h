//===- RuntimeValue.h - Data as values of the runtime -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the interpreter's data, in which the tools hold what models take and
// give, and the values of compiled models' runtime.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_RUNTIMEVALUE_H
#define NACRE_LIB_EMIT_RUNTIMEVALUE_H

#include "nacre-c/Runtime.h"
#include "nacre/Interpreter/Datum.h"

#include "mlir/IR/Location.h"
#include <memory>

namespace nacre {

/// A value that views a datum, which must outlive it; strings are copied.
class RuntimeValue {
public:
  /// Takes over a reference.
  explicit RuntimeValue(nacre_value *value) : value(value, nacre_release) {}
  static mlir::FailureOr<RuntimeValue>
  create(mlir::Location loc, const interpreter::Datum &datum, mlir::Type type);
  nacre_value *get() const { return value.get(); }

private:
  std::shared_ptr<nacre_value> value;
};

/// A copy of what `value` holds.
interpreter::Datum readRuntimeValue(mlir::MLIRContext &context,
                                    const nacre_value *value);

} // namespace nacre

#endif // NACRE_LIB_EMIT_RUNTIMEVALUE_H
