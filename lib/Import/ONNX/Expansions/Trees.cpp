//===- Trees.cpp - Expansions: ensembles of decision trees ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All samples go down all trees at once, a level at a time: tables of the nodes
// are gathered at the node that each sample has reached in each tree. Leaves
// lead to themselves, so that every path is as long as the deepest.
//
//===----------------------------------------------------------------------===//

#include "Trees.h"
#include "ClassicalModels.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

namespace {

/// Ops that evaluate an ensemble.
class EnsembleBuilder {
public:
  EnsembleBuilder(Expander &e, const Ensemble &ensemble)
      : e(e), ensemble(ensemble) {}

  /// The aggregated weights of each sample: (samples, targets).
  Value build(Value samples) {
    element = e.getElement(samples);
    std::optional<int64_t> depth = getDepth();
    int64_t features = e.getStaticDim(samples, 1, "X");
    for (const TreeNode &node : ensemble.nodes) {
      if (node.feature < 0 || node.feature >= features) {
        e.fail("expected features in [0, " + Twine(features) + "), found " +
               Twine(node.feature));
        return {};
      }
    }
    if (!depth || e.hasFailed()) {
      return {};
    }
    Value reached = stepFromRoots(samples);
    for (int64_t level = 1; level < *depth; ++level) {
      reached = step(samples, reached);
    }
    return aggregate(reached);
  }

private:
  template <typename GetT> Value buildTable(GetT get) {
    SmallVector<int64_t> values = llvm::map_to_vector(ensemble.nodes, get);
    return e.buildInts(values);
  }

  /// The number of levels below the roots; nothing, after an error, where a
  /// node leads back to itself or nowhere.
  std::optional<int64_t> getDepth() {
    // Deeper trees are a mistake; each level is a dozen ops.
    constexpr int64_t kMaxDepth = 4096;
    int64_t count = ensemble.nodes.size();
    SmallVector<int64_t> parents(count, 0), level(count, 0), ready;
    auto forEachChild = [&](const TreeNode &node, auto visit) {
      if (node.mode != TreeMode::Leaf) {
        visit(node.ifTrue);
        visit(node.ifFalse);
      }
    };
    for (const TreeNode &node : ensemble.nodes) {
      forEachChild(node, [&](int64_t child) { ++parents[child]; });
    }
    for (int64_t i = 0; i < count; ++i) {
      if (parents[i] == 0) {
        ready.push_back(i);
      }
    }
    int64_t depth = 1, numDone = 0;
    for (; !ready.empty(); ++numDone) {
      int64_t i = ready.pop_back_val();
      depth = std::max(depth, level[i]);
      forEachChild(ensemble.nodes[i], [&](int64_t child) {
        level[child] = std::max(level[child], level[i] + 1);
        if (--parents[child] == 0) {
          ready.push_back(child);
        }
      });
    }
    bool hasRoots = llvm::all_of(ensemble.roots, [&](int64_t root) {
      return root >= 0 && root < count;
    });
    if (numDone != count || !hasRoots || depth > kMaxDepth) {
      e.fail("expected trees, in which no node leads back to itself");
      return std::nullopt;
    }
    return depth;
  }

  /// What each node that is not a leaf compares by, without repetitions.
  SmallVector<TreeMode> getModes() const {
    SmallVector<TreeMode> modes;
    for (const TreeNode &node : ensemble.nodes) {
      if (node.mode != TreeMode::Leaf &&
          !llvm::is_contained(modes, node.mode)) {
        modes.push_back(node.mode);
      }
    }
    if (modes.empty()) {
      modes.push_back(TreeMode::LessOrEqual);
    }
    return modes;
  }

  Value compare(TreeMode mode, Value x, Value value) {
    switch (mode) {
    case TreeMode::Less:
      return e.create<IE::LessOp>({x, value});
    case TreeMode::GreaterOrEqual:
      return e.create<IE::GreaterOrEqualOp>({x, value});
    case TreeMode::Greater:
      return e.create<IE::GreaterOp>({x, value});
    case TreeMode::Equal:
      return e.create<IE::EqualOp>({x, value});
    case TreeMode::NotEqual:
      return e.create<IE::NotOp>({e.create<IE::EqualOp>({x, value})});
    default:
      return e.create<IE::LessOrEqualOp>({x, value});
    }
  }

  /// Whether each sample takes the first branch of a node; `look` yields a
  /// property of its node from a table of all nodes.
  Value decide(Value x, function_ref<Value(Value)> look) {
    SmallVector<double> values = llvm::map_to_vector(
        ensemble.nodes, [](const TreeNode &node) { return node.value; });
    Value value = look(buildVector(e, values, element));
    SmallVector<TreeMode> modes = getModes();
    Value decision = compare(modes.front(), x, value);
    if (modes.size() > 1) {
      Value mode = look(buildTable([](const TreeNode &node) {
        return static_cast<int64_t>(node.mode);
      }));
      for (TreeMode other : ArrayRef(modes).drop_front()) {
        Value isOther = e.create<IE::EqualOp>(
            {mode, e.buildScalar(static_cast<double>(other), e.getInt(64))});
        decision = e.where(isOther, compare(other, x, value), decision);
      }
    }
    auto tracks = [](const TreeNode &node) { return node.missingIsTrue; };
    if (llvm::any_of(ensemble.nodes, tracks)) {
      Value isTracked =
          e.cast(look(buildTable([](const TreeNode &node) -> int64_t {
                   return node.missingIsTrue;
                 })),
                 e.getInt(1));
      Value isMissing = e.create<IE::IsNaNOp>({x});
      decision = e.create<IE::OrOp>(
          {decision, e.create<IE::AndOp>({isMissing, isTracked})});
    }
    return decision;
  }

  Value choose(Value decision, function_ref<Value(Value)> look) {
    Value ifTrue =
        look(buildTable([](const TreeNode &node) { return node.ifTrue; }));
    Value ifFalse =
        look(buildTable([](const TreeNode &node) { return node.ifFalse; }));
    return e.where(decision, ifTrue, ifFalse);
  }

  Value getFeatureTable() {
    return buildTable([](const TreeNode &node) { return node.feature; });
  }

  /// The roots are the same for all samples.
  Value stepFromRoots(Value samples) {
    Value roots = e.buildInts(ensemble.roots);
    auto look = [&](Value table) { return e.gather(table, roots, 0); };
    Value x = e.gather(samples, look(getFeatureTable()), 1);
    return choose(decide(x, look), look);
  }

  /// From the nodes (samples, trees) to their children.
  Value step(Value samples, Value reached) {
    auto look = [&](Value table) { return e.gather(table, reached, 0); };
    Value x = e.create<IE::GatherElementsOp>({samples, look(getFeatureTable())},
                                             {e.attr("axis", int64_t(1))});
    return choose(decide(x, look), look);
  }

  Value aggregate(Value leaves) {
    bool isExtreme = ensemble.aggregate == "MIN" || ensemble.aggregate == "MAX";
    // What a leaf says nothing about is never the extreme.
    double nothing = ensemble.aggregate == "MIN"   ? INFINITY
                     : ensemble.aggregate == "MAX" ? -INFINITY
                                                   : 0;
    int64_t count = ensemble.nodes.size();
    if (!e.expectPlausible({count, ensemble.targets})) {
      return {};
    }
    SmallVector<double> table(count * ensemble.targets, nothing);
    for (const LeafWeight &weight : ensemble.weights) {
      if (weight.leaf < 0 || weight.leaf >= count || weight.target < 0 ||
          weight.target >= ensemble.targets) {
        e.fail("expected weights of leaves for targets in [0, " +
               Twine(ensemble.targets) + "), found " + Twine(weight.target));
        return {};
      }
      double &entry = table[weight.leaf * ensemble.targets + weight.target];
      entry = isExtreme ? weight.weight : entry + weight.weight;
    }
    Value weights = e.gather(
        e.buildTensor(table, {count, ensemble.targets}, element), leaves, 0);
    Value result;
    if (isExtreme) {
      result = ensemble.aggregate == "MIN"
                   ? e.reduce<IE::ReduceMinOp>(weights, 1, false)
                   : e.reduce<IE::ReduceMaxOp>(weights, 1, false);
      result = e.where(e.create<IE::IsInfOp>({result}),
                       e.buildScalar(0, element), result);
    } else if (ensemble.aggregate == "SUM") {
      result = e.reduce<IE::ReduceSumOp>(weights, 1, false);
    } else if (ensemble.aggregate == "AVERAGE") {
      result = e.reduce<IE::ReduceMeanOp>(weights, 1, false);
    } else {
      e.fail("expected an aggregate_function of SUM, AVERAGE, MIN or MAX, "
             "found '" +
             ensemble.aggregate + "'");
    }
    return result;
  }

  Expander &e;
  const Ensemble &ensemble;
  Type element;
};

} // namespace

Value onnx_import::evaluateEnsemble(Expander &e, const Ensemble &ensemble,
                                    Value samples) {
  return EnsembleBuilder(e, ensemble).build(samples);
}

namespace {

/// Reads the attributes of the operators before TreeEnsemble: nodes are named
/// by a tree and a number in it.
class EnsembleReader {
public:
  explicit EnsembleReader(Expander &e) : e(e) {}

  /// The weights are those of attributes that begin with `prefix`.
  Ensemble read(StringRef prefix) {
    readNodes();
    readWeights(prefix);
    ensemble.baseValues = takeNumbers("base_values");
    ensemble.transform = e.takeString("post_transform", "NONE");
    return std::move(ensemble);
  }

private:
  /// Of FLOATS, or of a tensor that operator set 3 has for doubles.
  SmallVector<double> takeNumbers(StringRef name) {
    std::string asTensor = (name + "_as_tensor").str();
    if (e.has(asTensor)) {
      return e.takeTensor(asTensor);
    }
    return e.takeFloats(name);
  }

  void readNodes() {
    SmallVector<int64_t> trees = e.takeInts("nodes_treeids");
    SmallVector<int64_t> numbers = e.takeInts("nodes_nodeids");
    SmallVector<int64_t> features = e.takeInts("nodes_featureids");
    SmallVector<int64_t> ifTrue = e.takeInts("nodes_truenodeids");
    SmallVector<int64_t> ifFalse = e.takeInts("nodes_falsenodeids");
    SmallVector<int64_t> missing =
        e.takeInts("nodes_missing_value_tracks_true");
    SmallVector<double> values = takeNumbers("nodes_values");
    SmallVector<std::string> modes = e.takeStrings("nodes_modes");
    // How often training came by.
    e.ignore({"nodes_hitrates", "nodes_hitrates_as_tensor"});
    size_t count = trees.size();
    missing.resize(missing.empty() ? count : missing.size(), 0);
    for (size_t size :
         {numbers.size(), features.size(), ifTrue.size(), ifFalse.size(),
          missing.size(), values.size(), modes.size()}) {
      if (size != count || count == 0) {
        return e.fail("expected as many of all properties of nodes, found " +
                      Twine(count) + " and " + Twine(size));
      }
    }
    for (size_t i = 0; i < count; ++i) {
      if (!indices.try_emplace({trees[i], numbers[i]}, i).second) {
        return e.fail("expected one node " + Twine(numbers[i]) + " of tree " +
                      Twine(trees[i]));
      }
    }
    for (size_t i = 0; i < count; ++i) {
      TreeNode node;
      node.mode = llvm::StringSwitch<TreeMode>(modes[i])
                      .Case("BRANCH_LEQ", TreeMode::LessOrEqual)
                      .Case("BRANCH_LT", TreeMode::Less)
                      .Case("BRANCH_GTE", TreeMode::GreaterOrEqual)
                      .Case("BRANCH_GT", TreeMode::Greater)
                      .Case("BRANCH_EQ", TreeMode::Equal)
                      .Case("BRANCH_NEQ", TreeMode::NotEqual)
                      .Case("LEAF", TreeMode::Leaf)
                      .Default(TreeMode::Member);
      if (node.mode == TreeMode::Member) {
        return e.reject("nodes of mode '" + modes[i] + "'");
      }
      if (node.mode == TreeMode::Leaf) {
        node.ifTrue = node.ifFalse = static_cast<int64_t>(i);
      } else {
        node.feature = features[i];
        node.value = values[i];
        node.missingIsTrue = missing[i] != 0;
        node.ifTrue = getIndex(trees[i], ifTrue[i]);
        node.ifFalse = getIndex(trees[i], ifFalse[i]);
      }
      // The first node of a tree is its root.
      if (i == 0 || trees[i] != trees[i - 1]) {
        ensemble.roots.push_back(static_cast<int64_t>(i));
      }
      ensemble.nodes.push_back(node);
    }
  }

  int64_t getIndex(int64_t tree, int64_t number) {
    auto it = indices.find({tree, number});
    if (it == indices.end()) {
      e.fail("expected a node " + Twine(number) + " of tree " + Twine(tree));
      return 0;
    }
    return it->second;
  }

  void readWeights(StringRef prefix) {
    std::string name = prefix.str();
    SmallVector<int64_t> trees = e.takeInts(name + "_treeids");
    SmallVector<int64_t> numbers = e.takeInts(name + "_nodeids");
    SmallVector<int64_t> ids = e.takeInts(name + "_ids");
    SmallVector<double> weights = takeNumbers(name + "_weights");
    if (numbers.size() != trees.size() || ids.size() != trees.size() ||
        weights.size() != trees.size()) {
      return e.fail("expected as many of all properties of '" + prefix + "'");
    }
    for (auto [tree, number, id, weight] :
         llvm::zip_equal(trees, numbers, ids, weights)) {
      if (e.hasFailed()) {
        return;
      }
      ensemble.weights.push_back({getIndex(tree, number), id, weight});
    }
  }

  Expander &e;
  Ensemble ensemble;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> indices;
};

} // namespace

/// Scores with the base values of all targets added.
static Value addBaseValues(Expander &e, Value scores,
                           const Ensemble &ensemble) {
  if (ensemble.baseValues.empty()) {
    return scores;
  }
  if (static_cast<int64_t>(ensemble.baseValues.size()) != ensemble.targets) {
    e.fail("expected " + Twine(ensemble.targets) + " base values, found " +
           Twine(ensemble.baseValues.size()));
    return {};
  }
  return e.add(scores,
               buildVector(e, ensemble.baseValues, e.getElement(scores)));
}

static void expandRegressor(Expander &e) {
  Value samples = getSamples(e, e.getRequiredInput(0, "X"));
  Ensemble ensemble = EnsembleReader(e).read("target");
  ensemble.targets = e.takeInt("n_targets", 1);
  ensemble.aggregate = e.takeString("aggregate_function", "SUM");
  if (e.hasFailed() || ensemble.targets < 1) {
    return e.fail("expected a positive number of targets");
  }
  Value scores = evaluateEnsemble(e, ensemble, samples);
  scores = addBaseValues(e, scores, ensemble);
  // The result is of 32 bits, whatever the input is.
  e.setResults(
      e.cast(transformScores(e, scores, ensemble.transform), e.getF32()));
}

static bool hasPositiveWeights(const Ensemble &ensemble) {
  return llvm::all_of(ensemble.weights, [](const LeafWeight &weight) {
    return weight.weight >= 0;
  });
}

/// Two classes of which the trees know but one: its weights, when positive,
/// make a probability, others a decision.
static Value isSecondClass(Expander &e, Value score, const Ensemble &ensemble) {
  return e.create<IE::GreaterOp>(
      {e.reshape(score, -1),
       e.buildScalar(hasPositiveWeights(ensemble) ? 0.5 : 0,
                     e.getElement(score))});
}

/// The labels and scores of two classes where the trees have the score (N, 1)
/// of the second, which they count as the first.
static void finishBinary(Expander &e, Value score, const Ensemble &ensemble,
                         const Labels &labels) {
  bool isPositive = hasPositiveWeights(ensemble);
  if (!ensemble.baseValues.empty()) {
    // Of two base values, that of the second class counts.
    score = e.add(score, ensemble.baseValues.back());
  }
  Value isSecond = isSecondClass(e, score, ensemble);
  Value other = e.create<IE::NegOp>({score});
  if (isPositive) {
    other = e.add(other, 1.0);
  }
  Value scores = e.concat({other, score}, 1);
  StringRef transform = ensemble.transform;
  if (!isPositive && transform == "LOGISTIC") {
    scores = transformScores(e, scores, transform);
  } else if (transform == "PROBIT") {
    e.reject("post_transform 'PROBIT' of one score for two classes");
  }
  e.setResults(
      {selectBinaryLabels(e, isSecond, labels), e.cast(scores, e.getF32())});
}

static void expandClassifier(Expander &e) {
  Value samples = getSamples(e, e.getRequiredInput(0, "X"));
  Ensemble ensemble = EnsembleReader(e).read("class");
  Labels labels = takeLabels(e, "classlabels_int64s");
  ensemble.targets = labels.size();
  if (e.hasFailed()) {
    return;
  }
  if (labels.empty()) {
    return e.fail("expected labels of classes");
  }
  llvm::SmallDenseSet<int64_t> ids;
  for (const LeafWeight &weight : ensemble.weights) {
    ids.insert(weight.target);
  }
  bool isBinary = labels.size() == 2 && ids.size() == 1;
  if (isBinary && ids.contains(0)) {
    ensemble.targets = 1;
    Value score = evaluateEnsemble(e, ensemble, samples);
    return finishBinary(e, score, ensemble, labels);
  }
  Value scores = evaluateEnsemble(e, ensemble, samples);
  scores = addBaseValues(e, scores, ensemble);
  Value label =
      isBinary
          ? selectBinaryLabels(
                e, isSecondClass(e, e.slice(scores, 1, 1, 2), ensemble), labels)
          : selectLabels(e, scores, labels);
  e.setResults({label, e.cast(transformScores(e, scores, ensemble.transform),
                              e.getF32())});
}

ArrayRef<ExpansionEntry> onnx_import::getTreeExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"ai.onnx.ml", "TreeEnsemble", expandTreeEnsemble},
      {"ai.onnx.ml", "TreeEnsembleClassifier", expandClassifier},
      {"ai.onnx.ml", "TreeEnsembleRegressor", expandRegressor},
  };
  return kEntries;
}
