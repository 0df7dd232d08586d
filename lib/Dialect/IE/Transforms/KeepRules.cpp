//===- KeepRules.cpp - What users keep f32 --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/KeepRules.h"

#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace nacre;

FailureOr<IE::KeepOptions>
IE::KeepOptions::make(Location loc, ArrayRef<std::string> nodes,
                      ArrayRef<std::string> ops, ArrayRef<std::string> onlyOps,
                      bool keepsFirst, bool keepsLast) {
  for (const std::string &text : nodes) {
    llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(text);
    if (!pattern) {
      return emitError(loc, "'") << text << "' is no pattern of nodes' names: "
                                 << llvm::toString(pattern.takeError());
    }
  }
  return KeepOptions{nodes.vec(), ops.vec(), onlyOps.vec(), keepsFirst,
                     keepsLast};
}

bool IE::isProduct(Operation *op) {
  auto quantizable = dyn_cast<QuantizableOpInterface>(op);
  return quantizable &&
         quantizable.getQuantizableKind() == QuantizableKind::Linear;
}

IE::KeepRules::KeepRules(func::FuncOp function, const KeepOptions &options)
    : options(options) {
  Block &body = function.getBody().front();
  for (Operation &op : body) {
    if (llvm::any_of(op.getOperands(), [&](Value operand) {
          Operation *before = operand.getDefiningOp();
          return before && (isProduct(before) || notFirst.contains(before));
        })) {
      notFirst.insert(&op);
    }
  }
  for (Operation &op : llvm::reverse(body)) {
    if (llvm::any_of(op.getUsers(), [&](Operation *user) {
          return isProduct(user) || notLast.contains(user);
        })) {
      notLast.insert(&op);
    }
  }
}

std::string IE::KeepRules::find(Operation *op) const {
  StringRef node = getNodeName(op), kind = op->getName().stripDialect();
  for (const std::string &text : options.nodes) {
    if (llvm::cantFail(llvm::GlobPattern::create(text)).match(node)) {
      return "nodes '" + text + "' are to stay f32";
    }
  }
  if (llvm::is_contained(options.ops, kind)) {
    return kind.str() + " is to stay f32";
  }
  if (!options.onlyOps.empty() && !llvm::is_contained(options.onlyOps, kind)) {
    return "all but " + llvm::join(options.onlyOps, " and ") +
           " is to stay f32";
  }
  if (options.keepsFirst && isProduct(op) && !notFirst.contains(op)) {
    return "first products are to stay f32";
  }
  if (options.keepsLast && isProduct(op) && !notLast.contains(op)) {
    return "last products are to stay f32";
  }
  return "";
}

SmallVector<Operation *>
IE::findProducts(func::FuncOp function, const KeepOptions &options,
                 llvm::function_ref<std::string(Operation *, const KeepRules &)>
                     findObstacle) {
  KeepRules rules(function, options);
  SmallVector<Operation *> products;
  for (Operation &op : function.getOps()) {
    if (isProduct(&op) && findObstacle(&op, rules).empty()) {
      products.push_back(&op);
    }
  }
  return products;
}
