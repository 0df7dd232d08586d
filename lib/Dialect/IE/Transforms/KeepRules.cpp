//===- KeepRules.cpp - What users keep f32 --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/KeepRules.h"

#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/Transforms/ValueKeys.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace nacre;

FailureOr<IE::KeepOptions>
IE::KeepOptions::make(Location loc, ArrayRef<std::string> nodes,
                      ArrayRef<std::string> ops, ArrayRef<std::string> onlyOps,
                      ArrayRef<std::string> between, bool keepsFirst,
                      bool keepsLast) {
  for (const std::string &text : nodes) {
    llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(text);
    if (!pattern) {
      return emitError(loc, "'") << text << "' is no pattern of nodes' names: "
                                 << llvm::toString(pattern.takeError());
    }
  }
  for (const std::string &text : between) {
    if (!StringRef(text).contains(':')) {
      return emitError(loc, "expected VALUE:VALUE, between which all stays "
                            "f32, found '")
             << text << "'";
    }
  }
  return KeepOptions{nodes.vec(),   ops.vec(),  onlyOps.vec(),
                     between.vec(), keepsFirst, keepsLast};
}

bool IE::isProduct(Operation *op) {
  auto quantizable = dyn_cast<QuantizableOpInterface>(op);
  return quantizable &&
         quantizable.getQuantizableKind() == QuantizableKind::Linear;
}

bool IE::isProductOfValues(Operation *op) {
  return isa<MatMulOp>(op) &&
         llvm::none_of(op->getOperands(), [](Value operand) {
           Operation *before = operand.getDefiningOp();
           return before && before->hasTrait<OpTrait::ConstantLike>();
         });
}

//===----------------------------------------------------------------------===//
// Between two values
//===----------------------------------------------------------------------===//

namespace {
/// Two values that an option names.
struct Ends {
  std::string first, last; // their names
  Value from, to;          // null where there are none
};
} // namespace

/// The values that FIRST:LAST names. A name may hold colons itself: where it is
/// cut, both should be values.
static Ends findEnds(const IE::ValueKeys &keys, StringRef text) {
  llvm::StringMap<Value> values;
  for (Value value : keys.getValues()) {
    values[keys.get(value)] = value;
  }
  Ends ends;
  for (size_t colon = text.find(':'); colon != StringRef::npos;
       colon = text.find(':', colon + 1)) {
    StringRef first = text.take_front(colon);
    StringRef last = text.drop_front(colon + 1);
    Ends found{first.str(), last.str(), values.lookup(first),
               values.lookup(last)};
    if (found.from && found.to) {
      return found;
    }
    bool isBetter = (found.from || found.to) && !ends.from && !ends.to;
    if (ends.first.empty() || isBetter) {
      ends = found;
    }
  }
  return ends;
}

/// True where the op, or one in its bodies, reads one of the values.
static bool readsAny(Operation &op, const llvm::DenseSet<Value> &values) {
  return op
      .walk([&](Operation *inner) {
        return llvm::any_of(
                   inner->getOperands(),
                   [&](Value operand) { return values.contains(operand); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The ops that read `from`, directly or not, and that `to` depends on.
static SmallVector<Operation *> findBetween(Block &body, const Ends &ends) {
  llvm::DenseSet<Value> after = {ends.from};
  llvm::DenseSet<Operation *> reached;
  for (Operation &op : body) {
    if (readsAny(op, after)) {
      reached.insert(&op);
      after.insert_range(op.getResults());
    }
  }
  llvm::DenseSet<Value> before = {ends.to};
  SmallVector<Operation *> between;
  for (Operation &op : llvm::reverse(body)) {
    if (llvm::none_of(op.getResults(),
                      [&](Value result) { return before.contains(result); })) {
      continue;
    }
    op.walk(
        [&](Operation *inner) { before.insert_range(inner->getOperands()); });
    if (reached.contains(&op)) {
      between.push_back(&op);
    }
  }
  return between;
}

LogicalResult IE::KeepRules::verify(func::FuncOp function,
                                    const KeepOptions &options) {
  if (options.between.empty()) {
    return success();
  }
  ValueKeys keys(function, /*allTypes=*/true);
  for (const std::string &text : options.between) {
    Ends ends = findEnds(keys, text);
    if (!ends.from || !ends.to) {
      return function.emitError("no value '")
             << (ends.from ? ends.last : ends.first) << "', which '" << text
             << "' names: a range profile has the names of values that are "
                "left when a model is quantized";
    }
    if (findBetween(function.getBody().front(), ends).empty()) {
      return function.emitError("nothing is between the values '")
             << ends.first << "' and '" << ends.last << "' of '" << text
             << "': the second is to follow from the first";
    }
  }
  return success();
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
  if (options.between.empty()) {
    return;
  }
  ValueKeys keys(function, /*allTypes=*/true);
  for (const std::string &text : options.between) {
    Ends ends = findEnds(keys, text);
    if (!ends.from || !ends.to) {
      continue; // as verify() says
    }
    for (Operation *op : findBetween(body, ends)) {
      between[op] = "all between '" + ends.first + "' and '" + ends.last +
                    "' is to stay f32";
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
  if (isProductOfValues(op) &&
      llvm::is_contained(options.ops, kMatMulActivations)) {
    return kMatMulActivations.str() + " are to stay f32";
  }
  if (auto it = between.find(op); it != between.end()) {
    return it->second;
  }
  bool isNamed = llvm::is_contained(options.onlyOps, kind) ||
                 (isProductOfValues(op) &&
                  llvm::is_contained(options.onlyOps, kMatMulActivations));
  if (!options.onlyOps.empty() && !isNamed) {
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
