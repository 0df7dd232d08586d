//===- LowerAssertions.cpp - The lower-assertions pass --------------------===//
//
// A library must not end the program that called it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace nacre {
#define GEN_PASS_DEF_LOWERASSERTIONS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The name of the node that an op comes from; empty if it has none.
static StringRef getNodeName(Location loc) {
  StringRef name;
  loc->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part); named && name.empty()) {
      name = named.getName();
    }
    return WalkResult::advance();
  });
  return name;
}

namespace {
struct LowerAssertionsPass final
    : nacre::impl::LowerAssertionsBase<LowerAssertionsPass> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> assertions;
    getOperation().walk([&](cf::AssertOp op) { assertions.push_back(op); });
    for (cf::AssertOp op : assertions) {
      lower(op);
    }
  }

private:
  void lower(cf::AssertOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value isWrong = arith::XOrIOp::create(
        builder, loc, op.getArg(),
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    std::string message = op.getMsg().str();
    if (StringRef name = getNodeName(loc); !name.empty()) {
      message = ("'" + name + "': " + message).str();
    }
    scf::IfOp::create(builder, loc, isWrong, [&](OpBuilder &nested, Location) {
      Value text = LLVM::AddressOfOp::create(nested, loc, getString(message));
      LLVM::CallOp::create(nested, loc, getFail(), ValueRange(text));
      scf::YieldOp::create(nested, loc);
    });
    op.erase();
  }

  LLVM::LLVMFuncOp getFail() {
    constexpr StringLiteral kName = "nacre_fail";
    ModuleOp module = getOperation();
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(kName)) {
      return known;
    }
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    LLVM::LLVMPointerType::get(&getContext()));
    return LLVM::LLVMFuncOp::create(builder, module.getLoc(), kName, type);
  }

  LLVM::GlobalOp getString(StringRef text) {
    LLVM::GlobalOp &global = strings[text];
    if (!global) {
      OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
      std::string value = (text + Twine('\0')).str();
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), value.size());
      global = LLVM::GlobalOp::create(
          builder, getOperation().getLoc(), type, /*isConstant=*/true,
          LLVM::Linkage::Internal,
          "nacre_message_" + std::to_string(strings.size()),
          builder.getStringAttr(value));
    }
    return global;
  }

  llvm::StringMap<LLVM::GlobalOp> strings;
};
} // namespace
