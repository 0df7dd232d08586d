//===- TreeEnsemble.cpp - Expansions: TreeEnsemble ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ensembles of decision trees as operator set 5 of ai.onnx.ml describes them.
//
//===----------------------------------------------------------------------===//

#include "ClassicalModels.h"
#include "Trees.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

namespace {

/// Reads the attributes of TreeEnsemble: inner nodes and leaves are numbered
/// each by themselves.
class NumberedReader {
public:
  explicit NumberedReader(Expander &e) : e(e) {}

  Ensemble read() {
    constexpr StringRef kAggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"};
    constexpr StringRef kTransforms[] = {"NONE", "SOFTMAX", "LOGISTIC",
                                         "SOFTMAX_ZERO", "PROBIT"};
    int64_t aggregate = e.takeInt("aggregate_function", 1);
    int64_t transform = e.takeInt("post_transform", 0);
    if (aggregate < 0 || aggregate > 3 || transform < 0 || transform > 4) {
      e.fail("expected 'aggregate_function' in [0, 3] and 'post_transform' in "
             "[0, 4]");
      return {};
    }
    ensemble.aggregate = kAggregates[aggregate];
    ensemble.transform = kTransforms[transform];
    ensemble.targets = e.takeInt("n_targets", 1);
    readInnerNodes();
    if (!e.hasFailed()) {
      readLeaves();
    }
    return std::move(ensemble);
  }

private:
  void readInnerNodes() {
    SmallVector<double> modes = e.takeTensor("nodes_modes");
    SmallVector<double> values = e.takeTensor("nodes_splits");
    SmallVector<int64_t> features = e.takeInts("nodes_featureids");
    SmallVector<int64_t> ifTrue = e.takeInts("nodes_truenodeids");
    SmallVector<int64_t> ifFalse = e.takeInts("nodes_falsenodeids");
    SmallVector<int64_t> trueLeaf = e.takeInts("nodes_trueleafs");
    SmallVector<int64_t> falseLeaf = e.takeInts("nodes_falseleafs");
    SmallVector<int64_t> missing =
        e.takeInts("nodes_missing_value_tracks_true");
    SmallVector<double> members = e.takeTensor("membership_values");
    ensemble.roots = e.takeInts("tree_roots");
    e.ignore({"nodes_hitrates"});
    count = modes.size();
    missing.resize(missing.empty() ? count : missing.size(), 0);
    for (int64_t size :
         {values.size(), features.size(), ifTrue.size(), ifFalse.size(),
          trueLeaf.size(), falseLeaf.size(), missing.size()}) {
      if (size != count) {
        return e.fail("expected as many of all properties of nodes, found " +
                      Twine(count) + " and " + Twine(size));
      }
    }
    leafTargets = e.takeInts("leaf_targetids");
    leaves = leafTargets.size();
    ensemble.nodes.resize(count + leaves);
    auto *member = members.begin();
    for (int64_t i = 0; i < count; ++i) {
      TreeNode &node = ensemble.nodes[i];
      if (!(modes[i] >= 0 && modes[i] <= 6)) {
        return e.fail("expected 'nodes_modes' in [0, 6]");
      }
      node.mode = static_cast<TreeMode>(static_cast<int>(modes[i]));
      node.feature = features[i];
      node.value = values[i];
      node.missingIsTrue = missing[i] != 0;
      node.ifTrue = getChild(ifTrue[i], trueLeaf[i]);
      node.ifFalse = getChild(ifFalse[i], falseLeaf[i]);
      if (node.mode == TreeMode::Member) {
        // NaN ends the members of each node.
        auto *end = std::find_if(member, members.end(),
                                 [](double value) { return value != value; });
        if (member == end) {
          return e.fail("expected members for node " + Twine(i));
        }
        memberships.push_back({i, SmallVector<double>(member, end)});
        member = end == members.end() ? end : end + 1;
      }
    }
  }

  int64_t getChild(int64_t number, int64_t isLeaf) {
    int64_t limit = isLeaf != 0 ? leaves : count;
    if (number < 0 || number >= limit) {
      e.fail("expected children in [0, " + Twine(limit) + "), found " +
             Twine(number));
      return 0;
    }
    return isLeaf != 0 ? count + number : number;
  }

  void readLeaves() {
    SmallVector<double> weights = e.takeTensor("leaf_weights");
    if (leafTargets.size() != weights.size()) {
      return e.fail("expected as many 'leaf_weights' as 'leaf_targetids'");
    }
    for (auto [i, target] : llvm::enumerate(leafTargets)) {
      int64_t leaf = count + static_cast<int64_t>(i);
      ensemble.nodes[leaf].ifTrue = ensemble.nodes[leaf].ifFalse = leaf;
      ensemble.weights.push_back({leaf, target, weights[i]});
    }
    expandMembers();
  }

  /// A comparison with several values becomes a chain of one with each.
  void expandMembers() {
    for (auto &[index, values] : memberships) {
      int64_t at = index;
      for (auto [i, value] : llvm::enumerate(values)) {
        ensemble.nodes[at].mode = TreeMode::Equal;
        ensemble.nodes[at].value = value;
        if (i + 1 < values.size()) {
          int64_t next = ensemble.nodes.size();
          ensemble.nodes.push_back(TreeNode(ensemble.nodes[at]));
          ensemble.nodes[at].ifFalse = next;
          at = next;
        }
      }
    }
  }

  Expander &e;
  Ensemble ensemble;
  int64_t count = 0, leaves = 0;
  SmallVector<int64_t> leafTargets;
  SmallVector<std::pair<int64_t, SmallVector<double>>> memberships;
};

} // namespace

void onnx_import::expandTreeEnsemble(Expander &e) {
  Value samples = getSamples(e, e.getRequiredInput(0, "X"));
  Ensemble ensemble = NumberedReader(e).read();
  if (e.hasFailed()) {
    return;
  }
  if (ensemble.targets < 1 || ensemble.roots.empty()) {
    return e.fail("expected trees and a positive number of targets");
  }
  Value scores = evaluateEnsemble(e, ensemble, samples);
  e.setResults(transformScores(e, scores, ensemble.transform));
}
