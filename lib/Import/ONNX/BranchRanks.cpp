//===- BranchRanks.cpp - Branches that give different ranks ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No type holds values of two ranks. Where the model expects one of them, by
// what it declares or by what it computes with the result, a run may take only
// the branch that gives it.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "nacre/Dialect/IE/Utils/BranchUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

// Between a branch and what expects a rank of it.
static constexpr unsigned kMaxDepth = 16;

namespace {
/// Looks forward from a value whose node is not imported yet.
class ExpectedRank {
public:
  ExpectedRank(const Scope &scope, MLIRContext *context)
      : scope(scope), context(context) {}

  std::optional<int64_t> find(const std::string &name, unsigned depth = 0) {
    if (RankedTensorType declared = scope.declared.lookup(name)) {
      return declared.getRank();
    }
    if (!scope.graph || name.empty() || depth == kMaxDepth) {
      return std::nullopt;
    }
    for (const onnx::NodeProto &node : scope.graph->node()) {
      for (int i = 0; i < node.input_size(); ++i) {
        if (node.input(i) != name) {
          continue;
        }
        if (std::optional<int64_t> rank = findOfInput(node, i, depth)) {
          return rank;
        }
      }
    }
    return std::nullopt;
  }

private:
  /// The rank that a node expects of input `i`, if it expects one.
  std::optional<int64_t> findOfInput(const onnx::NodeProto &node, int i,
                                     unsigned depth) {
    StringRef kind = node.op_type();
    if (!node.domain().empty() && node.domain() != "ai.onnx") {
      return std::nullopt;
    }
    if (kind == "Gemm" && i < 2) {
      return 2;
    }
    if (kind == "Concat") {
      for (const std::string &other : node.input()) {
        if (std::optional<int64_t> rank = getRank(other)) {
          return rank;
        }
      }
    }
    if (i != 0 || node.output_size() == 0) {
      return std::nullopt;
    }
    if (kind == "LSTM" || kind == "GRU" || kind == "RNN") {
      return 3;
    }
    if (kind == "Conv" || kind == "ConvTranspose") {
      return node.input_size() > 1 ? getRank(node.input(1)) : std::nullopt;
    }
    if (kind == "Transpose") {
      for (const onnx::AttributeProto &attribute : node.attribute()) {
        if (attribute.name() == "perm") {
          return attribute.ints_size();
        }
      }
    }
    auto op = RegisteredOperationName::lookup(("IE." + kind).str(), context);
    return op && op->hasTrait<OpTrait::Elementwise>()
               ? find(node.output(0), depth + 1)
               : std::nullopt;
  }

  /// The rank of what has been imported.
  std::optional<int64_t> getRank(StringRef name) {
    std::optional<Value> value = scope.lookup(name);
    auto type = value && *value ? dyn_cast<RankedTensorType>(value->getType())
                                : RankedTensorType();
    return type ? std::optional(type.getRank()) : std::nullopt;
  }

  const Scope &scope;
  MLIRContext *context;
};
} // namespace

/// True where the results of `branch` are tensors of the ranks that the model
/// expects of `names`.
static bool givesRanks(Region &branch, ArrayRef<StringRef> names,
                       ExpectedRank &expected) {
  ValueRange values = branch.front().getTerminator()->getOperands();
  return llvm::all_of(llvm::zip(values, names), [&](const auto &pair) {
    auto type = dyn_cast<RankedTensorType>(std::get<0>(pair).getType());
    std::optional<int64_t> rank = expected.find(std::get<1>(pair).str());
    return type && (!rank || *rank == type.getRank());
  });
}

FailureOr<SmallVector<Value>>
GraphImporter::settleRanks(IE::IfOp op, ArrayRef<StringRef> names,
                           const Scope &scope) {
  ExpectedRank expected(scope, &context);
  bool isThen = givesRanks(op.getThenBranch(), names, expected);
  if (isThen == givesRanks(op.getElseBranch(), names, expected)) {
    return failure();
  }
  SmallVector<Value> results =
      IE::requireBranch(op, isThen,
                        "a branch of If whose result is of another rank than "
                        "the model expects");
  op.erase();
  conditions.forget();
  return results;
}
