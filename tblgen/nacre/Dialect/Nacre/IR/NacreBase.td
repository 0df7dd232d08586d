//===- NacreBase.td - Dialect and enums --------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nacre dialect itself, with the list of its attributes, and its enum.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_NACRE_IR_NACREBASE_TD
#define NACRE_DIALECT_NACRE_IR_NACREBASE_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Nacre_Dialect : Dialect {
  let name = "nacre";
  let cppNamespace = "::nacre::abi";
  let summary = "What passes and tools tell each other about a model";
  let description = [{
    The dialect has no ops and no types. It owns the attributes that modules,
    functions, arguments, results and ops of other dialects have at any level:
    how the model is called from outside, what the arguments of `main` are, where
    constants lie. Every other attribute of the prefix `nacre` is an error, as are
    a wrong type and a wrong place.

    **Arguments and results of functions**

    | attribute | value | meaning |
    |---|---|---|
    | `nacre.name` | string | the model's name of an input or output |
    | `nacre.dims` | array of strings | names of its dimensions, empty where one has none; dimensions of one name are equally large |
    | `nacre.element` | type | of a value of unknown size, of strings, or of integers of few bits: the type of IE's elements, which may have a sign; of a sequence, an optional or a map: its type |
    | `nacre.state` | integer | of an input: the number of the result that it becomes; both are one buffer |
    | `nacre.integers` | `#nacre.integers` | of an input or output of integers that stand for floats: which |
    | `nacre.unread` | unit | of an input, in `nacre.interface` alone: nothing reads it |
    | `nacre.role` | `#nacre.role` | what `main` is given there |

    **Modules**

    | attribute | value | meaning |
    |---|---|---|
    | `nacre.interface` | `#nacre.interface` | what `main` takes and gives in IE |
    | `nacre.weights` | array of elements | the constants that code reads from the argument of the role `weights` |
    | `nacre.weight_offsets` | array of i64 | where each of them begins, ascending |
    | `nacre.arena_bytes` | i64 | the size of the arena |
    | `nacre.arena_lower_bound` | i64 | the size that no plan of its memory can go below |
    | `nacre.memory_limit` | i64 | of a module for the machine at hand: the bytes that its arena may have |
    | `nacre.steps` | array of `#nacre.step` | the steps of `main`, in order, where it reports them |
    | `nacre.hooks` | unit | `main` calls hooks around its steps |
    | `nacre.taps` | `#nacre.taps` | values that were made results to be looked at |
    | `nacre.keep` | array of strings | ops, without the dialect's name, that the architecture wants whole |
    | `nacre.options` | dictionary of strings | the options that the command line named |
    | `nacre.metadata` | array of strings | what the model says of itself, keys and values in turn |

    **Functions and ops**

    | attribute | value | meaning |
    |---|---|---|
    | `nacre.repairs` | array of `#nacre.repair` | of a function: what was done to it for 8 bits |
    | `nacre.rescaled` | `#nacre.rescaling` | of an op: how its first result differs from that of the model |
    | `nacre.implicit` | unit | of a Cast: it narrows what was computed in a wider type than the model has; readers of it may read its operand instead |
    | `nacre.has_steps` | unit | of a loop or a switch of the model, not of tiles: the ops in it are steps, and each is a kernel of its own |
    | `nacre.keeps_sizes` | unit | of a loop: each tensor that it carries has the sizes that it starts with, in each iteration |
    | `nacre.independent` | i64 | of a loop on tensors: iterations do not need each other; of each result that is used an iteration writes what has its number along this dimension, and what else the loop carries is room to work in |
    | `nacre.most_bytes` | i64 | of a view of the arena: the bytes that are there for it, whatever its size |
  }];
  let discardableAttrs = (ins
    "::mlir::StringAttr":$name,
    "::mlir::ArrayAttr":$dims,
    "::mlir::TypeAttr":$element,
    "::mlir::IntegerAttr":$state,
    "::nacre::abi::IntegersAttr":$integers,
    "::mlir::UnitAttr":$unread,
    "::nacre::abi::RoleAttr":$role,
    "::nacre::abi::InterfaceAttr":$interface,
    "::mlir::ArrayAttr":$weights,
    "::mlir::DenseI64ArrayAttr":$weight_offsets,
    "::mlir::IntegerAttr":$arena_bytes,
    "::mlir::IntegerAttr":$arena_lower_bound,
    "::mlir::IntegerAttr":$memory_limit,
    "::mlir::ArrayAttr":$steps,
    "::mlir::UnitAttr":$hooks,
    "::nacre::abi::TapsAttr":$taps,
    "::mlir::ArrayAttr":$keep,
    "::mlir::DictionaryAttr":$options,
    "::mlir::ArrayAttr":$metadata,
    "::mlir::ArrayAttr":$repairs,
    "::nacre::abi::RescalingAttr":$rescaled,
    "::mlir::UnitAttr":$implicit,
    "::mlir::UnitAttr":$has_steps,
    "::mlir::UnitAttr":$keeps_sizes,
    "::mlir::IntegerAttr":$independent,
    "::mlir::IntegerAttr":$most_bytes
  );
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

def Nacre_Role : I32EnumAttr<"Role", "what an argument of main is", [
    I32EnumAttrCase<"Input", 0, "input">,
    I32EnumAttrCase<"State", 1, "state">,
    I32EnumAttrCase<"Output", 2, "output">,
    I32EnumAttrCase<"Hooks", 3, "hooks">,
    I32EnumAttrCase<"Arena", 4, "arena">,
    I32EnumAttrCase<"Weights", 5, "weights">]> {
  let cppNamespace = "::nacre::abi";
  let genSpecializedAttr = 0;
}

#endif // NACRE_DIALECT_NACRE_IR_NACREBASE_TD
