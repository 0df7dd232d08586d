//===- NameSizes.cpp - The ie-name-sizes pass -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A user finds an output's sizes by the names that inputs have for theirs. What
// the model does not declare follows from where a size comes from.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/IE/Utils/SizeBuilder.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nacre::IE {
#define GEN_PASS_DEF_NAMESIZES
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

namespace {
/// Sizes in terms of those of a function's arguments. A name stands for one
/// value, wherever it is. Asked in the order of the ops.
class NamedSizes final : public IE::SizeBuilder {
public:
  using SizeBuilder::SizeBuilder;

  void addArgument(BlockArgument argument, ArrayAttr dims) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !dims || dims.size() != static_cast<size_t>(type.getRank())) {
      return;
    }
    IE::Sizes sizes = getSizes(argument);
    for (auto [size, name] :
         llvm::zip_equal(sizes, dims.getAsRange<StringAttr>())) {
      if (auto value = dyn_cast<Value>(size); value && !name.empty()) {
        size = values.try_emplace(name, value).first->second;
        names.try_emplace(cast<Value>(size), name);
      }
    }
    known[argument] = sizes;
  }

  void addOp(IE::SizesOpInterface op) {
    builder.setInsertionPoint(op);
    loc = op.getLoc();
    ReifiedRankedShapedTypeDims sizes;
    if (failed(op.buildSizes(*this, sizes))) {
      return;
    }
    for (auto [result, own] : llvm::zip_equal(op->getResults(), sizes)) {
      known[result] = own;
    }
  }

  /// The name of a size; empty where it has none.
  StringRef getName(Value tensor, int64_t dim) {
    auto it = known.find(tensor);
    auto size = it == known.end() ? Value() : dyn_cast<Value>(it->second[dim]);
    StringAttr name = size ? names.lookup(size) : StringAttr();
    return name ? name.getValue() : StringRef();
  }

  OpFoldResult getSize(Value tensor, int64_t dim) override {
    auto it = known.find(tensor);
    bool isKnown = it != known.end() &&
                   cast<RankedTensorType>(tensor.getType()).isDynamicDim(dim);
    return isKnown ? it->second[dim] : SizeBuilder::getSize(tensor, dim);
  }

  OpFoldResult getElement(Value tensor, int64_t position) override {
    OpFoldResult found = trace(tensor, position);
    return found ? found : SizeBuilder::getElement(tensor, position);
  }

private:
  /// Follows an element of a shape; null where that is computed.
  OpFoldResult trace(Value shape, int64_t position) {
    auto type = dyn_cast<RankedTensorType>(shape.getType());
    if (!type || type.getRank() > 1 || !type.hasStaticShape() || position < 0 ||
        position >= type.getNumElements()) {
      return {};
    }
    std::optional<SmallVector<int64_t>> elements = IE::getKnownInts(shape);
    if (elements && !ShapedType::isDynamic((*elements)[position])) {
      return number((*elements)[position]);
    }
    Operation *def = shape.getDefiningOp();
    if (!def) {
      return {};
    }
    return llvm::TypeSwitch<Operation *, OpFoldResult>(def)
        .Case([&](IE::ShapeOp op) {
          return getSize(op.getData(), op.getBounds().first + position);
        })
        .Case([&](IE::GatherOp op) { return traceGather(op, position); })
        .Case([&](IE::ConcatOp op) { return traceConcat(op, position); })
        .Default([&](Operation *op) {
          bool isCopy =
              isa<IE::CastOp>(op) || op->hasTrait<IE::KeepsElements>();
          return isCopy ? trace(op->getOperand(0), position) : OpFoldResult();
        });
  }

  OpFoldResult traceGather(IE::GatherOp op, int64_t position) {
    auto type = dyn_cast<RankedTensorType>(op.getData().getType());
    std::optional<SmallVector<int64_t>> indices =
        IE::getKnownInts(op.getIndices());
    if (!type || type.getRank() != 1 || !type.hasStaticShape() || !indices ||
        ShapedType::isDynamic((*indices)[position])) {
      return {};
    }
    int64_t index = (*indices)[position];
    return trace(op.getData(), index < 0 ? index + type.getDimSize(0) : index);
  }

  OpFoldResult traceConcat(IE::ConcatOp op, int64_t position) {
    for (Value input : op.getInputs()) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      if (!type || !type.hasStaticShape()) {
        return {};
      }
      if (position < type.getDimSize(0)) {
        return trace(input, position);
      }
      position -= type.getDimSize(0);
    }
    return {};
  }

  DenseMap<Value, IE::Sizes> known;
  DenseMap<StringAttr, Value> values;
  DenseMap<Value, StringAttr> names;
};
} // namespace

/// The names of a result's dimensions, empty where the model declares none.
static SmallVector<StringRef> getDeclaredNames(func::FuncOp function,
                                               unsigned result, int64_t rank) {
  SmallVector<StringRef> names(rank);
  auto declared = abi::getOfResult<abi::Dims>(function, result);
  if (declared && static_cast<int64_t>(declared.size()) == rank) {
    llvm::copy(declared.getAsValueRange<StringAttr>(), names.begin());
  }
  return names;
}

/// True if a size of a result is open and has no name.
static bool lacksNames(func::FuncOp function) {
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) {
      continue;
    }
    SmallVector<StringRef> names =
        getDeclaredNames(function, i, tensor.getRank());
    for (auto [dim, name] : llvm::enumerate(names)) {
      if (tensor.isDynamicDim(dim) && name.empty()) {
        return true;
      }
    }
  }
  return false;
}

static bool namesSizes(func::FuncOp function) {
  return llvm::any_of(llvm::seq(function.getNumArguments()), [&](unsigned i) {
    return static_cast<bool>(abi::getOfArgument<abi::Dims>(function, i));
  });
}

namespace {
struct NameSizesPass final : nacre::IE::impl::NameSizesBase<NameSizesPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !namesSizes(function) ||
        !lacksNames(function)) {
      return;
    }
    // Sizes are built to be compared, and not to stay.
    OwningOpRef<func::FuncOp> scratch = function.clone();
    Block &body = scratch->getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    NamedSizes sizes(builder, function.getLoc());
    for (BlockArgument argument : body.getArguments()) {
      sizes.addArgument(argument, abi::getOfArgument<abi::Dims>(
                                      *scratch, argument.getArgNumber()));
    }
    for (auto op : llvm::to_vector(body.getOps<IE::SizesOpInterface>())) {
      sizes.addOp(op);
    }
    for (auto [i, value] :
         llvm::enumerate(body.getTerminator()->getOperands())) {
      if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
        nameResult(function, i, type, value, sizes);
      }
    }
  }

private:
  static void nameResult(func::FuncOp function, unsigned number,
                         RankedTensorType type, Value value,
                         NamedSizes &sizes) {
    SmallVector<StringRef> names =
        getDeclaredNames(function, number, type.getRank());
    for (auto [dim, name] : llvm::enumerate(names)) {
      if (name.empty() && type.isDynamicDim(dim)) {
        name = sizes.getName(value, dim);
      }
    }
    if (llvm::any_of(names, [](StringRef name) { return !name.empty(); })) {
      abi::setOfResult<abi::Dims>(function, number,
                                  Builder(function).getStrArrayAttr(names));
    }
  }
};
} // namespace
