//===- RuntimeBase.td - Dialect, type, constraints ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Runtime dialect itself, its type, and the constraints of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_RUNTIMEBASE_TD
#define NACRE_DIALECT_RUNTIME_IR_RUNTIMEBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/OpBase.td"

def Runtime_Dialect : Dialect {
  let name = "rt";
  let cppNamespace = "::nacre::rt";
  let summary = "The values of the C runtime, and its functions on them";
  let description = [{
    A value of type `!rt.value` is a `nacre_value *` of the C runtime
    (nacre-c/Runtime.h): a tensor whose sizes are found by the run, a tensor of
    strings, a sequence, an optional or a map. Each op is one function of the
    runtime, `rt.NAME` is `nacre_NAME`: its operands and attributes are the
    function's arguments, in order. `convert-rt-to-func` makes calls of them.

    **Ownership.** Values are counted by the runtime. A block is one owner of each
    value that it has as an argument, other than a function's, and of each that an
    op in it gives: it drops the value once, or hands it over once. Operands are
    borrowed unless the op takes them over. What holds for an op is said by
    `OwnershipOpInterface`, which ops of func, scf and arith have, too. The pass
    `release-values` inserts `rt.keep` and `rt.drop` by it; before that pass a
    program says nothing of owners, and a run would free all values at its end.

    **Errors.** An op that finds an error ends the run: `NAME_run` returns
    `NACRE_FAILED`, and `NAME_error()` has the message. So each op has an effect
    that no pass may remove or repeat.
  }];
  // Element types, and types of keys.
  let dependentDialects = ["::nacre::IE::IEDialect"];
  let useDefaultTypePrinterParser = 1;
}

def RT_Value : TypeDef<Runtime_Dialect, "Value"> {
  let mnemonic = "value";
  let summary = "A value of the C runtime";
  let description = [{
    A counted reference to a tensor, a sequence, an optional or a map. Which of
    them it is, and of what types, is known to the runtime alone: `rt.check_*`
    ops check it.

    Example:
    ```mlir
    %0 = scf.for %i = %a to %b step %c iter_args(%list = %empty) -> (!rt.value)
    ```
  }];
}

// Where the elements of a tensor begin.
def RT_Data : Type<CPred<[{
      $_self == ::mlir::MemRefType::get(
          {1}, ::mlir::IntegerType::get($_self.getContext(), 8))
    }]>, "memref<1xi8>", "::mlir::MemRefType">,
    BuildableType<"::mlir::MemRefType::get({1}, $_builder.getI8Type())">;

def RT_Element : Type<CPred<"::nacre::rt::isElementType($_self)">,
                      "element type of the runtime">;
def RT_ElementAttr : TypeAttrOf<RT_Element>;

def RT_Count : ConfinedAttr<I64Attr, [IntNonNegative]>;

#endif // NACRE_DIALECT_RUNTIME_IR_RUNTIMEBASE_TD
