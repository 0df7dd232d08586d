//===- CarryBFloat16AsIntegers.cpp - The carry-bfloat16-as-integers pass --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After expand-small-floats nothing computes with bf16 anymore: it is loaded,
// chosen, shuffled and stored, which the integers of its bits can be just as
// well.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace nacre {
#define GEN_PASS_DEF_CARRYBFLOAT16ASINTEGERS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// Replaces bf16, and constants of it, in types and attributes.
static AttrTypeReplacer getReplacer(MLIRContext *context) {
  AttrTypeReplacer replacer;
  Type bits = IntegerType::get(context, 16);
  replacer.addReplacement([=](BFloat16Type) -> Type { return bits; });
  replacer.addReplacement([=](FloatAttr value) -> std::optional<Attribute> {
    if (!value.getType().isBF16()) {
      return std::nullopt;
    }
    return IntegerAttr::get(bits, value.getValue().bitcastToAPInt());
  });
  replacer.addReplacement(
      [=](DenseElementsAttr value) -> std::optional<Attribute> {
        if (!value.getElementType().isBF16()) {
          return std::nullopt;
        }
        return value.bitcast(bits);
      });
  replacer.addReplacement(
      [=](DenseResourceElementsAttr value) -> std::optional<Attribute> {
        if (!value.getElementType().isBF16()) {
          return std::nullopt;
        }
        return DenseResourceElementsAttr::get(value.getType().clone(bits),
                                              value.getRawHandle());
      });
  return replacer;
}

namespace {
struct CarryBFloat16AsIntegersPass final
    : nacre::impl::CarryBFloat16AsIntegersBase<CarryBFloat16AsIntegersPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    VPU::ArchAttr arch = VPU::ArchAttr::lookup(module);
    if (arch && arch.getPack(BFloat16Type::get(&getContext())) > 1) {
      return;
    }
    AttrTypeReplacer replacer = getReplacer(&getContext());
    // Of the module and its functions, other attributes say what the caller
    // sees.
    for (auto global : module.getOps<LLVM::GlobalOp>()) {
      replacer.recursivelyReplaceElementsIn(global, /*replaceAttrs=*/true,
                                            /*replaceLocs=*/false,
                                            /*replaceTypes=*/true);
    }
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      Type type = function.getFunctionType();
      function.setFunctionType(
          cast<LLVM::LLVMFunctionType>(replacer.replace(type)));
      for (Operation &op : function.getOps()) {
        replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true,
                                              /*replaceLocs=*/false,
                                              /*replaceTypes=*/true);
      }
      for (Block &block : function.getBody()) {
        for (BlockArgument argument : block.getArguments()) {
          argument.setType(replacer.replace(argument.getType()));
        }
      }
    }
  }
};
} // namespace
