//===- Rescaling.cpp - Values whose channels were multiplied --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/Rescaling.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Quantization/Rescale.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

std::string IE::getRescaledName(StringRef was) {
  return was.str() + "/rescaled";
}

std::optional<IE::Rescaling> IE::getRescaling(Value value) {
  Operation *op = value.getDefiningOp();
  auto recorded = op ? abi::get<abi::Rescaled>(op) : abi::RescalingAttr();
  if (!recorded || value != op->getResult(0)) {
    return std::nullopt;
  }
  return Rescaling{recorded.getWas(), recorded.getName(), recorded.getOf(),
                   recorded.getFactors()};
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
  abi::set<abi::Rescaled>(
      value.getDefiningOp(),
      abi::RescalingAttr::get(builder.getContext(), builder.getStringAttr(was),
                              builder.getStringAttr(getRescaledName(was)),
                              builder.getStringAttr(of),
                              builder.getDenseF32ArrayAttr(all)));
}

void IE::dropRescalings(func::FuncOp function) {
  abi::remove<abi::Repairs>(function);
  for (Operation &op : function.getOps()) {
    abi::remove<abi::Rescaled>(&op);
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
  if (auto before = abi::get<abi::Repairs>(function)) {
    llvm::append_range(all, before);
  }
  for (const Repair &repair : repairs) {
    all.push_back(abi::RepairAttr::get(
        builder.getContext(), builder.getStringAttr(repair.kind),
        builder.getStringAttr(repair.value), builder.getStringAttr(repair.node),
        builder.getF64FloatAttr(repair.decibels)));
  }
  if (!all.empty()) {
    abi::set<abi::Repairs>(function, builder.getArrayAttr(all));
  }
}

std::vector<IE::Repair> IE::getRepairs(func::FuncOp function) {
  std::vector<Repair> repairs;
  auto recorded = abi::get<abi::Repairs>(function);
  if (!recorded) {
    return repairs;
  }
  for (auto repair : recorded.getAsRange<abi::RepairAttr>()) {
    repairs.push_back({repair.getKind().str(), repair.getValue().str(),
                       repair.getNode().str(),
                       repair.getDecibels().getValueAsDouble()});
  }
  return repairs;
}
