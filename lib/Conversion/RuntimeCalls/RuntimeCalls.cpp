//===- RuntimeCalls.cpp - Building calls of the runtime -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the runtime's functions as they are needed.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/RuntimeCalls.h"
#include "nacre/Runtime/FunctionNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace nacre;

ValueRange RuntimeCalls::call(OpBuilder &builder, Location loc, StringRef name,
                              ValueRange arguments, TypeRange results) {
  if (!module.lookupSymbol<func::FuncOp>(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    auto type = builder.getFunctionType(arguments.getTypes(), results);
    func::FuncOp::create(builder, module.getLoc(), name, type).setPrivate();
  }
  return func::CallOp::create(builder, loc, name, results, arguments)
      .getResults();
}

/// The address of a text, which a module holds once under its symbol.
static Value buildAddress(OpBuilder &builder, Location loc, ModuleOp module,
                          StringRef symbol, StringRef text) {
  auto global = module.lookupSymbol<LLVM::GlobalOp>(symbol);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    global =
        LLVM::GlobalOp::create(builder, module.getLoc(), type,
                               /*isConstant=*/true, LLVM::Linkage::Internal,
                               symbol, builder.getStringAttr(text));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value RuntimeCalls::buildText(OpBuilder &builder, Location loc,
                              StringRef text) {
  std::string stored = text.str() + '\0';
  // Equal texts share a symbol; different ones of equal hashes must not.
  for (unsigned i = 0;; ++i) {
    std::string symbol =
        (names::kTextPrefix + llvm::utohexstr(llvm::xxh3_64bits(stored) + i))
            .str();
    auto known = module.lookupSymbol<LLVM::GlobalOp>(symbol);
    if (!known || cast<StringAttr>(*known.getValue()).getValue() == stored) {
      return buildAddress(builder, loc, module, symbol, stored);
    }
  }
}
