//===- PackConstants.cpp - The pack-constants pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the weights out of the code: laid out once, addressed by offset.
// Nothing is copied here; whoever writes or loads the weights puts them
// together.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Interpreter/TensorMemory.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"

#include <map>

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
    Layout layout;
    if (failed(readLayout(module, layout))) {
      return signalPassFailure();
    }
    llvm::StringMap<int64_t> offsets;
    // In the order in which a run needs them, whatever made them.
    WalkResult walk = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        auto use = operand.getDefiningOp<memref::GetGlobalOp>();
        if (use && failed(place(module, use, layout, offsets))) {
          return WalkResult::interrupt();
        }
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted()) {
      return signalPassFailure();
    }
    Builder builder(&getContext());
    abi::set<abi::Weights>(module, builder.getArrayAttr(layout.values));
    abi::set<abi::WeightOffsets>(module,
                                 builder.getDenseI64ArrayAttr(layout.offsets));
    llvm::StringSet<> unread;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function.isExternal() && function.isPublic() &&
          failed(rewrite(function, offsets, layout.bytes, unread))) {
        return signalPassFailure();
      }
    }
    for (auto global :
         llvm::make_early_inc_range(module.getOps<memref::GlobalOp>())) {
      StringRef name = global.getSymName();
      if (offsets.contains(name) || unread.contains(name)) {
        global.erase();
      }
    }
  }

private:
  /// Where each constant lies in the weights.
  struct Layout {
    SmallVector<Attribute> values;
    SmallVector<int64_t> offsets;
    int64_t bytes = 0;
    /// All constants, those of the architectures compiled before among them, by
    /// hash.
    std::multimap<uint64_t, size_t> shareable;
  };

  static uint64_t hash(const interpreter::Tensor &tensor) {
    ArrayRef<char> bytes = tensor.getBytes();
    return llvm::xxh3_64bits(StringRef(bytes.data(), bytes.size()));
  }

  /// Continues the layout that the module comes with, if it does.
  LogicalResult readLayout(ModuleOp module, Layout &layout) {
    auto values = abi::get<abi::Weights>(module);
    auto offsets = abi::get<abi::WeightOffsets>(module);
    if (!values) {
      return success();
    }
    for (auto [i, value] : llvm::enumerate(values)) {
      FailureOr<interpreter::Tensor> tensor =
          interpreter::Tensor::fromAttr(cast<ElementsAttr>(value));
      if (failed(tensor)) {
        return module.emitError("expected constants with data in '")
               << abi::Weights::getNameStr() << "', found " << value;
      }
      layout.values.push_back(value);
      layout.offsets.push_back(offsets[i]);
      layout.bytes = std::max<int64_t>(layout.bytes,
                                       offsets[i] + tensor->getBytes().size());
      layout.shareable.insert({hash(*tensor), i});
    }
    return success();
  }

  /// Gives the global that `use` reads its place.
  LogicalResult place(ModuleOp module, memref::GetGlobalOp use, Layout &layout,
                      llvm::StringMap<int64_t> &offsets) {
    if (offsets.contains(use.getName())) {
      return success();
    }
    auto global = module.lookupSymbol<memref::GlobalOp>(use.getName());
    auto value = dyn_cast_if_present<ElementsAttr>(
        global ? global.getInitialValueAttr() : Attribute());
    if (!value) {
      return use.emitError("expected a global with a constant value");
    }
    if (failed(interpreter::requireMemoryForConstant(use, value))) {
      return failure();
    }
    FailureOr<interpreter::Tensor> tensor =
        interpreter::Tensor::fromAttr(value);
    if (failed(tensor)) {
      return use.emitError("expected a global with data, found ")
             << global.getType();
    }
    uint64_t key = hash(*tensor);
    auto [first, last] = layout.shareable.equal_range(key);
    for (auto it = first; it != last; ++it) {
      auto other = interpreter::Tensor::fromAttr(
          cast<ElementsAttr>(layout.values[it->second]));
      if (other->getBytes() == tensor->getBytes()) {
        offsets[use.getName()] = layout.offsets[it->second];
        return success();
      }
    }
    layout.shareable.insert({key, layout.values.size()});
    layout.bytes = llvm::alignTo(layout.bytes, alignment);
    offsets[use.getName()] = layout.bytes;
    layout.values.push_back(value);
    layout.offsets.push_back(layout.bytes);
    layout.bytes += tensor->getBytes().size();
    return success();
  }

  /// Has `function` take its constants from an argument; `unread` are the
  /// others.
  LogicalResult rewrite(func::FuncOp function,
                        const llvm::StringMap<int64_t> &offsets, int64_t bytes,
                        llvm::StringSet<> &unread) {
    auto type = MemRefType::get({bytes}, IntegerType::get(&getContext(), 8));
    unsigned position = function.getNumArguments();
    if (failed(function.insertArgument(
            position, type, abi::buildRole(&getContext(), abi::Role::Weights),
            function.getLoc()))) {
      return failure();
    }
    Value weights = function.getArgument(position);
    function.walk([&](memref::GetGlobalOp use) {
      if (use->use_empty()) {
        unread.insert(use.getName());
        return use.erase();
      }
      OpBuilder builder(use);
      int64_t offset = offsets.at(use.getName());
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
