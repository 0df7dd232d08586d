//===- AssertQuantized.cpp - Nothing left in f32 --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssertQuantized.h"
#include "QuantizationReport.h"
#include "Work.h"

#include "nacre/Dialect/IE/Transforms/KeepRules.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static constexpr StringRef kOption = "--assert-quantized";

OptionSpec driver::getAssertQuantizedOption() {
  return {kOption, "",
          "with --ranges, --data or --activations=dynamic or none: end with "
          "status 2, and list them, where convolutions or products of matrices "
          "stay f32 that neither --keep and its like nor an override keeps so"};
}

LogicalResult driver::requireAssertable(const Arguments &arguments,
                                        const Session &session) {
  if (!arguments.has(kOption) || !session.getQuantizingOption().empty()) {
    return success();
  }
  printError() << kOption
               << " needs --ranges, or --activations=dynamic or "
                  "none\n";
  return failure();
}

static FailureOr<IE::KeepOptions> readKeep(Location loc,
                                           const Session &session) {
  if (const auto *options = session.getQuantization()) {
    return IE::KeepOptions::read(loc, *options);
  }
  if (const auto *options = session.getDynamicQuantization()) {
    return IE::KeepOptions::read(loc, *options);
  }
  return IE::KeepOptions::read(loc, *session.getWeightQuantization());
}

/// What overrides say of nodes; null where there are no ranges.
static FailureOr<std::shared_ptr<const IE::KnownRanges>>
readOverrides(func::FuncOp function, const Session &session) {
  const auto *options = session.getQuantization();
  return options ? IE::readRanges(function, options->ranges, options->rounding)
                 : FailureOr<std::shared_ptr<const IE::KnownRanges>>(nullptr);
}

LogicalResult driver::assertQuantized(const Arguments &arguments,
                                      ModuleOp module, Session &session) {
  if (!arguments.has(kOption)) {
    return success();
  }
  auto function = module.lookupSymbol<func::FuncOp>("main");
  FailureOr<QuantizationReport> report = makeReport(module, session);
  auto keep = readKeep(function.getLoc(), session);
  auto overrides = readOverrides(function, session);
  if (failed(report) || failed(keep) || failed(overrides)) {
    return session.fail(ExitCode::BadInput);
  }
  IE::KeepRules rules(function, *keep);
  auto isKept = [&](Operation *op) {
    const quantization::Override *override =
        *overrides ? (*overrides)->findPrecision(IE::getNodeName(op)) : nullptr;
    return (override && override->precision == "f32") ||
           !rules.find(op).empty();
  };
  unsigned numLeft = 0;
  auto complain = [&](Operation *op, StringRef why) {
    op->emitError("stays f32, against ") << kOption << ": " << why;
    ++numLeft;
  };
  // The report has those of the function itself, in their order.
  ArrayRef<ReportedProduct> products = report->products;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!countProduct(op)) {
      return;
    }
    if (op->getParentOp() != function) {
      bool isFloat =
          !getElementTypeOrSelf(op->getOperand(0).getType()).isInteger();
      if (isFloat && !isKept(op)) {
        complain(op, "it is in the body of a loop or a branch");
      }
      return;
    }
    const ReportedProduct &product = products.consume_front();
    if (!product.obstacle.empty() && !isKept(op)) {
      complain(op, product.obstacle);
    }
  });
  return numLeft == 0 ? success() : session.fail(ExitCode::Unsupported);
}
