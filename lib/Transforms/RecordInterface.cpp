//===- RecordInterface.cpp - The record-interface pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the signature that a model has on tensors, for whoever goes on with a
// module in which @main is one on buffers.
//
//===----------------------------------------------------------------------===//

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
      NamedAttrList attrs(main.getArgAttrDict(argument.getArgNumber()));
      if (argument.use_empty()) {
        attrs.set("nacre.unread", builder.getUnitAttr());
      }
      inputs.push_back(attrs.getDictionary(&getContext()));
    }
    for (unsigned i = 0; i < main.getNumResults(); ++i) {
      outputs.push_back(NamedAttrList(main.getResultAttrDict(i))
                            .getDictionary(&getContext()));
    }
    module->setAttr(
        "nacre.interface",
        builder.getDictionaryAttr(
            {builder.getNamedAttr("inputs", builder.getArrayAttr(inputs)),
             builder.getNamedAttr("outputs", builder.getArrayAttr(outputs)),
             builder.getNamedAttr("type",
                                  TypeAttr::get(main.getFunctionType()))}));
  }
};
} // namespace
