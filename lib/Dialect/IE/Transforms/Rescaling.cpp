//===- Rescaling.cpp - Values whose channels were multiplied --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/Rescaling.h"

#include "nacre/Quantization/Rescale.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

static constexpr StringLiteral kRescaled = "nacre.rescaled";
static constexpr StringLiteral kRepairs = "nacre.repairs";

std::string IE::getRescaledName(StringRef was) {
  return was.str() + "/rescaled";
}

std::optional<IE::Rescaling> IE::getRescaling(Value value) {
  Operation *op = value.getDefiningOp();
  auto recorded =
      op ? op->getAttrOfType<DictionaryAttr>(kRescaled) : DictionaryAttr();
  if (!recorded || value != op->getResult(0)) {
    return std::nullopt;
  }
  return Rescaling{recorded.getAs<StringAttr>("was"),
                   recorded.getAs<StringAttr>("name"),
                   recorded.getAs<StringAttr>("of"),
                   recorded.getAs<DenseF32ArrayAttr>("factors")};
}

void IE::addRescaling(Value value, StringRef was, StringRef of,
                      ArrayRef<float> factors) {
  SmallVector<float> all(factors);
  if (std::optional<Rescaling> before = getRescaling(value)) {
    was = before->was;
    of = before->of;
    for (auto [factor, earlier] : llvm::zip_equal(all, before->factors)) {
      factor *= earlier;
    }
  }
  Builder builder(value.getContext());
  value.getDefiningOp()->setAttr(
      kRescaled, builder.getDictionaryAttr(
                     {builder.getNamedAttr("was", builder.getStringAttr(was)),
                      builder.getNamedAttr(
                          "name", builder.getStringAttr(getRescaledName(was))),
                      builder.getNamedAttr("of", builder.getStringAttr(of)),
                      builder.getNamedAttr(
                          "factors", builder.getDenseF32ArrayAttr(all))}));
}

void IE::dropRescalings(func::FuncOp function) {
  function->removeAttr(kRepairs);
  for (Operation &op : function.getOps()) {
    op.removeAttr(kRescaled);
  }
}

FailureOr<std::shared_ptr<const IE::KnownRanges>>
IE::readRanges(func::FuncOp function, StringRef path, Rounding rounding) {
  auto ranges = KnownRanges::read(function.getLoc(), path, rounding);
  if (failed(ranges)) {
    return failure();
  }
  return adjustRanges(function, *ranges);
}

std::shared_ptr<const IE::KnownRanges>
IE::adjustRanges(func::FuncOp function,
                 const std::shared_ptr<const KnownRanges> &ranges) {
  std::vector<ValueProfile> rescaled;
  for (Operation &op : function.getOps()) {
    auto rescaling =
        op.getNumResults() > 0 ? getRescaling(op.getResult(0)) : std::nullopt;
    const ValueProfile *profile =
        rescaling ? ranges->find(rescaling->of) : nullptr;
    if (profile && profile->channels &&
        profile->channels->low.size() == rescaling->factors.size()) {
      rescaled.push_back(rescale(*profile, rescaling->factors));
      rescaled.back().name = rescaling->name.str();
    }
  }
  return rescaled.empty() ? ranges : ranges->with(std::move(rescaled));
}

void IE::recordRepairs(func::FuncOp function, ArrayRef<Repair> repairs) {
  Builder builder(function.getContext());
  SmallVector<Attribute> all;
  if (auto before = function->getAttrOfType<ArrayAttr>(kRepairs)) {
    llvm::append_range(all, before);
  }
  for (const Repair &repair : repairs) {
    all.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("kind", builder.getStringAttr(repair.kind)),
         builder.getNamedAttr("value", builder.getStringAttr(repair.value)),
         builder.getNamedAttr("node", builder.getStringAttr(repair.node)),
         builder.getNamedAttr("decibels",
                              builder.getF64FloatAttr(repair.decibels))}));
  }
  if (!all.empty()) {
    function->setAttr(kRepairs, builder.getArrayAttr(all));
  }
}

std::vector<IE::Repair> IE::getRepairs(func::FuncOp function) {
  std::vector<Repair> repairs;
  auto recorded = function->getAttrOfType<ArrayAttr>(kRepairs);
  if (!recorded) {
    return repairs;
  }
  for (auto repair : recorded.getAsRange<DictionaryAttr>()) {
    auto getText = [&](StringRef key) {
      return repair.getAs<StringAttr>(key).str();
    };
    repairs.push_back({getText("kind"), getText("value"), getText("node"),
                       repair.getAs<FloatAttr>("decibels").getValueAsDouble()});
  }
  return repairs;
}
