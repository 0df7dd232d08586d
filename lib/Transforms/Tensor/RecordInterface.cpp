//===- RecordInterface.cpp - The record-interface pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the signature that a model has on tensors, for whoever goes on with a
// module in which @main is one on buffers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace nacre {
#define GEN_PASS_DEF_RECORDINTERFACE
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {
struct RecordInterfacePass final
    : nacre::impl::RecordInterfaceBase<RecordInterfacePass> {
  using RecordInterfaceBase::RecordInterfaceBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal()) {
      return;
    }
    Builder builder(&getContext());
    SmallVector<Attribute> inputs, outputs;
    for (BlockArgument argument : main.getArguments()) {
      NamedAttrList attrs =
          dropRole(main.getArgAttrDict(argument.getArgNumber()));
      if (argument.use_empty()) {
        attrs.push_back(abi::name<abi::Unread>(builder.getUnitAttr()));
      }
      inputs.push_back(attrs.getDictionary(&getContext()));
    }
    for (unsigned i = 0; i < main.getNumResults(); ++i) {
      outputs.push_back(
          dropRole(main.getResultAttrDict(i)).getDictionary(&getContext()));
    }
    abi::set<abi::Interface>(
        module, abi::InterfaceAttr::get(&getContext(), main.getFunctionType(),
                                        builder.getArrayAttr(inputs),
                                        builder.getArrayAttr(outputs)));
    setRoles(main);
  }

private:
  /// What callers are told: roles are of main as it is lowered.
  static NamedAttrList dropRole(DictionaryAttr attributes) {
    NamedAttrList others(attributes);
    others.erase(abi::ArgumentRole::getNameStr());
    return others;
  }

  /// Bufferization makes arguments of results, which take their roles along.
  static void setRoles(func::FuncOp main) {
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      bool isState = static_cast<bool>(abi::getOfArgument<abi::State>(main, i));
      abi::setRole(main, i, isState ? abi::Role::State : abi::Role::Input);
    }
    for (unsigned i = 0; i < main.getNumResults(); ++i) {
      abi::setRoleOfResult(main, i, abi::Role::Output);
    }
  }
};
} // namespace
