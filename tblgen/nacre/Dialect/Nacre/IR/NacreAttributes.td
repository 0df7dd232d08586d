//===- NacreAttributes.td - Attributes of the nacre dialect -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface and roles, steps, and what quantization records.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_NACRE_IR_NACREATTRIBUTES_TD
#define NACRE_DIALECT_NACRE_IR_NACREATTRIBUTES_TD

include "nacre/Dialect/Nacre/IR/NacreBase.td"
include "mlir/IR/AttrTypeBase.td"
// The generated reference is of ops, too.
include "mlir/IR/OpBase.td"

class Nacre_Attr<string name, string attrMnemonic>
    : AttrDef<Nacre_Dialect, name> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
}

//===----------------------------------------------------------------------===//
// How a model is called
//===----------------------------------------------------------------------===//

def Nacre_RoleAttr : EnumAttr<Nacre_Dialect, Nacre_Role, "role"> {
  let summary = "What an argument of main is";
  let description = [{
    The pass that makes an argument gives it its role, by which later passes and
    the C interface find it wherever it stands.

    | role | made by | what it is |
    |---|---|---|
    | `input` | `record-interface` | an input of the model |
    | `state` | `record-interface` | an input that holds a result when the call is over |
    | `output` | `record-interface`, on a result that bufferization makes an argument | an output of the model |
    | `arena` | `plan-memory` | the memory of intermediate values, bytes |
    | `weights` | `pack-constants` | all constants, bytes |
    | `hooks` | `hook-steps` | a pointer to a struct of hooks, or null |

    The last three each stand on at most one argument. A result is an `output`.

    ```mlir
    func.func @main(%x: memref<8xf32> {nacre.role = #nacre.role<input>},
                    %arena: memref<256xi8> {nacre.role = #nacre.role<arena>})
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Nacre_InterfaceAttr : Nacre_Attr<"Interface", "interface"> {
  let summary = "What main takes and gives in IE";
  let description = [{
    Lowering changes the signature of `main`; callers go by this one.
    `signature` is its type in IE, `inputs` and `outputs` have the attributes of
    its arguments and results, one dictionary each.

    ```mlir
    module attributes {nacre.interface = #nacre.interface<
      signature = (tensor<2xf32>) -> tensor<2xf32>,
      inputs = [{nacre.name = "x"} ], outputs = [{nacre.name = "y"} ]>}
    ```
  }];
  let parameters = (ins
    "::mlir::FunctionType":$signature,
    "::mlir::ArrayAttr":$inputs,
    "::mlir::ArrayAttr":$outputs
  );
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::mlir::DictionaryAttr getInput(size_t number) const {
      return ::llvm::cast<::mlir::DictionaryAttr>(getInputs()[number]);
    }
    ::mlir::DictionaryAttr getOutput(size_t number) const {
      return ::llvm::cast<::mlir::DictionaryAttr>(getOutputs()[number]);
    }
  }];
}

def Nacre_IntegersAttr : Nacre_Attr<"Integers", "integers"> {
  let summary = "What the integers of an input or output stand for";
  let description = [{
    An integer stands for `(integer - zeroPoint) * scale`. `scale` is an f32.

    ```mlir
    func.func @main(%x: tensor<8xui8> {
      nacre.integers = #nacre.integers<scale = 5.000000e-01 : f32, zeroPoint = 128>})
    ```
  }];
  let parameters = (ins
    "::mlir::FloatAttr":$scale,
    "int64_t":$zeroPoint
  );
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

def Nacre_StepOperandAttr : Nacre_Attr<"StepOperand", "step_operand"> {
  let summary = "A buffer that a step uses";
  let description = [{
    `element`, `shape` and `strides` are those of its type. `roles` is a sum of the
    roles of nacre-c/Hooks.h. `argument` is the number, among the inputs or among
    the outputs that `main` takes, of the one that the buffer is in, `offset` its
    place in the arena or in the weights where that is known.

    ```mlir
    #nacre.step_operand<element = f32, shape = [8], strides = [1], roles = 9,
                        argument = 0 : i64>
    ```
  }];
  let parameters = (ins
    "::mlir::Type":$element,
    "::mlir::DenseI64ArrayAttr":$shape,
    "::mlir::DenseI64ArrayAttr":$strides,
    "int64_t":$roles,
    OptionalParameter<"::mlir::IntegerAttr">:$argument,
    OptionalParameter<"::mlir::IntegerAttr">:$offset
  );
}

def Nacre_StepAttr : Nacre_Attr<"Step", "step"> {
  let summary = "What a step of main does";
  let description = [{
    `name` is the location of the step, which names nodes of the model, `kernel` the
    function that it calls, or `none`. `flops` counts floating-point operations,
    `cycles` those that a cluster needs for them at least, `predicted` those that
    the cost model expects, `bytes` the bytes of the buffers, other than those of
    dynamic size. `buffers` has offsets and sizes, in turn, of those that lie in
    the arena; `shapes` has texts such as `1x8xf32`. With hooks, `operands` says
    what a hook is given, in order.

    ```mlir
    #nacre.step<name = loc("Add_1"), kernel = "add", flops = 8, cycles = 1,
                predicted = 4, bytes = 64, buffers = [64, 32],
                shapes = ["8xf32", "8xf32"]>
    ```
  }];
  let parameters = (ins
    "::mlir::LocationAttr":$name,
    "::mlir::StringAttr":$kernel,
    "int64_t":$flops,
    "int64_t":$cycles,
    "int64_t":$predicted,
    "int64_t":$bytes,
    "::mlir::DenseI64ArrayAttr":$buffers,
    "::mlir::ArrayAttr":$shapes,
    OptionalParameter<"::mlir::ArrayAttr">:$operands
  );
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Values on show
//===----------------------------------------------------------------------===//

def Nacre_TapAttr : Nacre_Attr<"Tap", "tap"> {
  let summary = "A value that was made a result";
  let description = [{
    `name` is the name of the value, `node` and `op` are those of what computes
    it, empty for an input, and `operand` is its number among the results of that,
    or among the inputs. `axis` is the dimension of its channels, -1 where it has
    none. A value that is to be 8 bits has `scale` and `zeroPoint`.

    ```mlir
    #nacre.tap<name = "y", node = "Relu_1", op = "Relu", operand = 0, axis = 1>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$name,
    "::mlir::StringAttr":$node,
    "::mlir::StringAttr":$op,
    "int64_t":$operand,
    "int64_t":$axis,
    OptionalParameter<"::mlir::DenseF64ArrayAttr">:$scale,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$zeroPoint
  );
}

def Nacre_TapsAttr : Nacre_Attr<"Taps", "taps"> {
  let summary = "The values that were made results";
  let description = [{
    `values` has a `#nacre.tap` for each of the last results of `main`. A run of
    all values would take too much memory: they are shown in `groups` parts, of
    which a module has one. `graph` tells models apart.

    ```mlir
    #nacre.taps<graph = "5ad1…", groups = 2, values = [#nacre.tap<…>]>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$graph,
    "int64_t":$groups,
    "::mlir::ArrayAttr":$values
  );
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// What was done for 8 bits
//===----------------------------------------------------------------------===//

def Nacre_RescalingAttr : Nacre_Attr<"Rescaling", "rescaling"> {
  let summary = "How a value differs from that of the model";
  let description = [{
    The value that the model calls `was`, now `name`, is the value `of`, whose
    ranges are known, with each channel times its factor.

    ```mlir
    #nacre.rescaling<was = "y", name = "y/rescaled", of = "y", factors = [2.0, 0.5]>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$was,
    "::mlir::StringAttr":$name,
    "::mlir::StringAttr":$of,
    "::mlir::DenseF32ArrayAttr":$factors
  );
}

def Nacre_RepairAttr : Nacre_Attr<"Repair", "repair"> {
  let summary = "A change by which 8 bits lose less";
  let description = [{
    `kind` is the pass that has done it, to `value` of `node`; by its own estimate
    the value has gained `decibels`.

    ```mlir
    #nacre.repair<kind = "equalize", value = "y", node = "Conv_1",
                  decibels = 3.5 : f64>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$kind,
    "::mlir::StringAttr":$value,
    "::mlir::StringAttr":$node,
    "::mlir::FloatAttr":$decibels
  );
}

#endif // NACRE_DIALECT_NACRE_IR_NACREATTRIBUTES_TD
