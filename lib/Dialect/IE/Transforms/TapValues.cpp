//===- TapValues.cpp - The ie-tap-values pass -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is inside of a model becomes a result, so that whoever runs it sees it.
//
//===----------------------------------------------------------------------===//

#include "ValueKeys.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"

namespace nacre::IE {
#define GEN_PASS_DEF_TAPVALUES
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// The dimension whose indices are channels; -1 where there is none.
static int64_t getChannelAxis(Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  auto isProduct = [](Operation *op) {
    return isa_and_present<IE::MatMulOp, IE::GemmOp>(op);
  };
  bool isMatrix = isProduct(value.getDefiningOp()) ||
                  llvm::any_of(value.getUsers(), isProduct);
  return rank < 2 ? -1 : isMatrix ? rank - 1 : 1;
}

/// Bytes of a value. What a run decides counts as nothing.
static int64_t countBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() ? type.getNumElements() * 4 : 0;
}

namespace {

struct TapValuesPass final : nacre::IE::impl::TapValuesBase<TapValuesPass> {
  using TapValuesBase::TapValuesBase;

  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!function || function.isExternal()) {
      getOperation().emitError("expected a function @main");
      return signalPassFailure();
    }
    IE::ValueKeys keys(function);
    int64_t last = 0;
    SmallVector<Value> group = chooseGroup(keys, last);
    addResults(function, keys, group);
    record(keys, group, last);
    numTapped = group.size();
  }

private:
  /// The values of the wanted group, and the number of the last one.
  SmallVector<Value> chooseGroup(const IE::ValueKeys &keys, int64_t &last) {
    SmallVector<Value> chosen;
    int64_t bytes = 0;
    for (Value value : keys.getValues()) {
      bytes += countBytes(value);
      if (maxBytes > 0 && bytes > maxBytes && bytes > countBytes(value)) {
        ++last;
        bytes = countBytes(value);
      }
      if (last == group) {
        chosen.push_back(value);
      }
    }
    return chosen;
  }

  static void addResults(func::FuncOp function, const IE::ValueKeys &keys,
                         ArrayRef<Value> group) {
    auto terminator =
        cast<func::ReturnOp>(function.getBody().front().getTerminator());
    for (Value value : group) {
      unsigned number = function.getNumResults();
      Builder builder(function.getContext());
      auto name = builder.getNamedAttr("nacre.name",
                                       builder.getStringAttr(keys.get(value)));
      if (failed(function.insertResult(number, value.getType(),
                                       builder.getDictionaryAttr(name)))) {
        continue;
      }
      terminator.getOperandsMutable().append(value);
    }
  }

  /// What runs show of the values, for those who run it.
  void record(const IE::ValueKeys &keys, ArrayRef<Value> group, int64_t last) {
    Builder builder(&getContext());
    SmallVector<Attribute> taps;
    for (Value value : group) {
      Operation *op = value.getDefiningOp();
      StringRef node = op ? IE::getNodeName(op) : StringRef();
      StringRef kind = op ? op->getName().stripDialect() : StringRef();
      taps.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("name", builder.getStringAttr(keys.get(value))),
           builder.getNamedAttr("node", builder.getStringAttr(node)),
           builder.getNamedAttr("op", builder.getStringAttr(kind)),
           builder.getNamedAttr(
               "axis", builder.getI64IntegerAttr(getChannelAxis(value)))}));
    }
    getOperation()->setAttr(
        "nacre.taps",
        builder.getDictionaryAttr(
            {builder.getNamedAttr("values", builder.getArrayAttr(taps)),
             builder.getNamedAttr("groups",
                                  builder.getI64IntegerAttr(last + 1)),
             builder.getNamedAttr(
                 "graph", builder.getStringAttr(IE::getGraphDigest(keys)))}));
  }
};

} // namespace
