//===- RuntimeOpBase.td - What the ops of Runtime share ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base classes of ops. The arguments of an op, in their order, are those of
// the runtime's function of the same name, so that its syntax, and what the
// conversion asks of it, follow from them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_RUNTIMEOPBASE_TD
#define NACRE_DIALECT_RUNTIME_IR_RUNTIMEOPBASE_TD

include "nacre/Dialect/Runtime/IR/RuntimeBase.td"
include "nacre/Dialect/Runtime/IR/RuntimeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/ViewLikeInterface.td"

// How C++ reads argument `i` of `parameters`.
class RT_Getter<dag parameters, int i> {
  string name = !getdagname(parameters, i);
  string getter = "get" # !toupper(!substr(name, 0, 1)) # !substr(name, 1);
  string text = !if(!isa<AttrConstraint>(!getdagarg<Constraint>(parameters, i)),
                    "::mlir::Attribute(" # getter # "Attr())",
                    "::mlir::Value(" # getter # "())");
}

class RT_Op<string mnemonic, dag parameters, list<Trait> traits = []>
    : Op<Runtime_Dialect, mnemonic,
         !listconcat([RT_FunctionOpInterface, RT_OwnershipOpInterface],
                     traits)> {
  defvar count = !size(parameters);
  let arguments = parameters;
  code parameterFormat = !interleave(
      !foreach(i, !range(count), "$" # !getdagname(parameters, i)), " `,` ");
  let assemblyFormat = parameterFormat # " attr-dict";
  code baseDeclarations =
      "::llvm::SmallVector<::mlir::OpFoldResult> getCallArguments() {\n" #
      "  return {" #
      !interleave(!foreach(i, !range(count), RT_Getter<parameters, i>.text),
                  ", ") #
      "};\n}\n";
  let extraClassDeclaration = baseDeclarations;
}

// A function that gives a value, which the caller becomes an owner of.
class RT_ValueOp<string mnemonic, dag parameters, list<Trait> traits = []>
    : RT_Op<mnemonic, parameters, traits> {
  let results = (outs RT_Value:$result);
}

// A function that gives a changed sequence, of which the runtime has a second
// form, NAME_in_place.
class RT_EditOp<string mnemonic, dag parameters>
    : RT_ValueOp<mnemonic, parameters, [RT_InPlaceOpInterface]> {
  let arguments = !con(parameters, (ins UnitAttr:$inPlace));
  let assemblyFormat = "(`in_place` $inPlace^)? " # parameterFormat #
                       " attr-dict";
  let extraClassDeclaration = baseDeclarations # [{
    ::mlir::OpOperand &getUpdatedOperand() { return getSequenceMutable(); }
    bool takesOver(::mlir::OpOperand &operand) {
      return getInPlace() && &operand == &getUpdatedOperand();
    }
  }];
}

// A function that gives the memory of a tensor's elements.
class RT_DataOp<string mnemonic>
    : RT_Op<mnemonic, (ins RT_Value:$tensor), [ViewLikeOpInterface]> {
  let results = (outs RT_Data:$data);
  let extraClassDeclaration = baseDeclarations # [{
    ::mlir::Value getViewSource() { return getTensor(); }
  }];
}

#endif // NACRE_DIALECT_RUNTIME_IR_RUNTIMEOPBASE_TD
