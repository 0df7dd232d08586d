//===- PackConstants.cpp - The pack-constants pass ------------------------===//
//
// Takes the weights out of the code: one blob, laid out once, addressed by
// offset.
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/Tensor.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace nacre {
#define GEN_PASS_DEF_PACKCONSTANTS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {
struct PackConstantsPass final
    : nacre::impl::PackConstantsBase<PackConstantsPass> {
  using PackConstantsBase::PackConstantsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::MapVector<StringRef, Constant> constants;
    int64_t bytes = 0;
    if (failed(layOut(module, constants, bytes))) {
      return signalPassFailure();
    }
    auto blobType =
        RankedTensorType::get({bytes}, IntegerType::get(&getContext(), 8));
    AsmResourceBlob blob =
        HeapAsmResourceBlob::allocate(bytes, alignment, /*dataIsMutable=*/true);
    llvm::fill(blob.getMutableData(), 0);
    for (auto &[name, constant] : constants) {
      ArrayRef<char> data = constant.value.getBytes();
      llvm::copy(data, blob.getMutableData().begin() + constant.offset);
      constant.value = interpreter::Tensor();
    }
    module->setAttr("nacre.weights", DenseResourceElementsAttr::get(
                                         blobType, "weights", std::move(blob)));
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function.isExternal() && function.isPublic() &&
          failed(rewrite(function, constants, bytes))) {
        return signalPassFailure();
      }
    }
    for (auto global :
         llvm::make_early_inc_range(module.getOps<memref::GlobalOp>())) {
      if (constants.contains(global.getSymName())) {
        global.erase();
      }
    }
  }

private:
  struct Constant {
    interpreter::Tensor value;
    int64_t offset;
  };

  /// Reads each used global's value and gives it an offset in the blob.
  LogicalResult layOut(ModuleOp module,
                       llvm::MapVector<StringRef, Constant> &constants,
                       int64_t &bytes) {
    WalkResult walk = module.walk([&](memref::GetGlobalOp use) {
      if (constants.contains(use.getName())) {
        return WalkResult::advance();
      }
      auto global = module.lookupSymbol<memref::GlobalOp>(use.getName());
      auto value = dyn_cast_if_present<ElementsAttr>(
          global ? global.getInitialValueAttr() : Attribute());
      if (!value) {
        use.emitError("expected a global with a constant value");
        return WalkResult::interrupt();
      }
      FailureOr<interpreter::Tensor> tensor =
          interpreter::Tensor::fromAttr(value);
      if (failed(tensor)) {
        use.emitError("expected a global with data, found ")
            << global.getType();
        return WalkResult::interrupt();
      }
      bytes = llvm::alignTo(bytes, alignment);
      constants.insert({global.getSymName(), {*tensor, bytes}});
      bytes += tensor->getBytes().size();
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }

  LogicalResult rewrite(func::FuncOp function,
                        const llvm::MapVector<StringRef, Constant> &constants,
                        int64_t bytes) {
    auto type = MemRefType::get({bytes}, IntegerType::get(&getContext(), 8));
    unsigned position = function.getNumArguments();
    if (failed(
            function.insertArgument(position, type, {}, function.getLoc()))) {
      return failure();
    }
    Value weights = function.getArgument(position);
    function.walk([&](memref::GetGlobalOp use) {
      OpBuilder builder(use);
      int64_t offset = constants.find(use.getName())->second.offset;
      Value shift =
          arith::ConstantIndexOp::create(builder, use.getLoc(), offset);
      use.replaceAllUsesWith(
          memref::ViewOp::create(builder, use.getLoc(),
                                 cast<MemRefType>(use.getType()), weights,
                                 shift, ValueRange())
              .getResult());
      use.erase();
    });
    return success();
  }
};
} // namespace
