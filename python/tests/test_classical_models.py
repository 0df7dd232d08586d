# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of ai.onnx.ml, on all backends."""

import operator

import numpy as np
import pytest
from onnx import numpy_helper

from backends import BACKENDS, run
from nacre import builders, cases, cli, tolerances
from nacre.cases import integers, parametrize, random


def Case(*arguments, **others):
    return cases.Case(*arguments, domain="ai.onnx.ml", **others)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


# ===----------------------------------------------------------------------=== #
# Trees
# ===----------------------------------------------------------------------=== #

COMPARE = {
    "BRANCH_LEQ": operator.le, "BRANCH_LT": operator.lt,
    "BRANCH_GTE": operator.ge, "BRANCH_GT": operator.gt,
    "BRANCH_EQ": operator.eq, "BRANCH_NEQ": operator.ne,
}


class Forest:
    """Trees of different depths with random features, values and leaves."""

    def __init__(self, trees, features, targets, modes=("BRANCH_LEQ",),
                 missing=False, seed=0, positive=False):
        self.rng = np.random.default_rng(seed)
        self.features, self.targets, self.modes = features, targets, modes
        self.missing, self.positive = missing, positive
        self.trees = [self.grow(depth=1 + i % 4) for i in range(trees)]

    def grow(self, depth):
        if depth == 0:
            count = self.rng.integers(1, len(self.targets) + 1)
            ids = self.rng.permutation(self.targets)[:count]
            weights = self.rng.standard_normal(count).astype(np.float32)
            return {int(i): float(abs(w) / 9 if self.positive else w)
                    for i, w in zip(ids, weights)}
        # Values that samples hit exactly.
        value = float(np.float32(self.rng.integers(-3, 4) / 2))
        return (str(self.rng.choice(self.modes)),
                int(self.rng.integers(self.features)), value,
                bool(self.missing and self.rng.integers(2)),
                self.grow(depth - 1),
                self.grow(self.rng.integers(depth)))

    def leaves(self, row):
        for tree in self.trees:
            while isinstance(tree, tuple):
                mode, feature, value, missing, yes, no = tree
                x = row[feature]
                taken = COMPARE[mode](x, value) or (missing and np.isnan(x))
                tree = yes if taken else no
            yield tree

    def scores(self, x, count, aggregate=sum):
        result = np.zeros((len(x), count))
        for i, row in enumerate(x):
            for target in range(count):
                found = [leaf[target] for leaf in self.leaves(row)
                         if target in leaf]
                result[i, target] = aggregate(found) if found else 0
        return result

    def attributes(self, prefix):
        """As the operators before TreeEnsemble have them."""
        nodes = {name: [] for name in (
            "treeids", "nodeids", "featureids", "values", "modes",
            "truenodeids", "falsenodeids", "missing_value_tracks_true")}
        weights = {name: [] for name in ("treeids", "nodeids", "ids",
                                         "weights")}

        def visit(tree_id, numbers, tree):
            number = next(numbers)
            leaf = not isinstance(tree, tuple)
            mode, feature, value, missing = (
                ("LEAF", 0, 0.0, False) if leaf else tree[:4])
            at = len(nodes["modes"])
            for name, entry in [
                    ("treeids", tree_id), ("nodeids", number),
                    ("featureids", feature), ("values", value),
                    ("modes", mode), ("truenodeids", 0), ("falsenodeids", 0),
                    ("missing_value_tracks_true", int(missing))]:
                nodes[name].append(entry)
            if leaf:
                for target, weight in tree.items():
                    for name, entry in [("treeids", tree_id),
                                        ("nodeids", number), ("ids", target),
                                        ("weights", weight)]:
                        weights[name].append(entry)
            else:
                nodes["truenodeids"][at] = visit(tree_id, numbers, tree[4])
                nodes["falsenodeids"][at] = visit(tree_id, numbers, tree[5])
            return number

        for tree_id, tree in enumerate(self.trees):
            visit(tree_id, iter(range(1000)), tree)
        return {**{f"nodes_{k}": v for k, v in nodes.items()},
                **{f"{prefix}_{k}": v for k, v in weights.items()}}


def samples(count, features, missing=False, seed=1):
    x = integers(-4, 5, count, features, seed=seed) / 2
    x = x.astype(np.float32)
    if missing:
        x[::3, 0] = np.nan
    return x


def tree_cases():
    x = samples(20, 4)
    for name, aggregate, function in [
            ("sum", "SUM", sum), ("min", "MIN", min), ("max", "MAX", max)]:
        forest = Forest(5, 4, [0, 1, 2], list(COMPARE), seed=3)
        yield Case(f"Regressor_{name}", "TreeEnsembleRegressor", {"x": x},
                   [forest.scores(x, 3, function).astype(np.float32)],
                   **forest.attributes("target"), n_targets=3,
                   aggregate_function=aggregate)
    forest = Forest(7, 4, [0], missing=True, seed=4)
    gaps = samples(20, 4, missing=True)
    yield Case("Regressor_missing", "TreeEnsembleRegressor", {"x": gaps},
               [(forest.scores(gaps, 1) / 7 + 0.5).astype(np.float32)],
               **forest.attributes("target"), n_targets=1, base_values=[0.5],
               aggregate_function="AVERAGE")
    attributes = forest.attributes("target")
    for name in ("nodes_values", "target_weights"):
        attributes[f"{name}_as_tensor"] = numpy_helper.from_array(
            np.array(attributes.pop(name), np.float64))
    yield Case("Regressor_double", "TreeEnsembleRegressor",
               {"x": gaps.astype(np.float64)},
               [sigmoid(forest.scores(gaps, 1)).astype(np.float32)],
               **attributes, n_targets=1, post_transform="LOGISTIC")
    yield Case("Regressor_integers", "TreeEnsembleRegressor",
               {"x": x.astype(np.int64)},
               [forest.scores(x.astype(np.int64), 1).astype(np.float32)],
               **forest.attributes("target"), n_targets=1)
    forest = Forest(6, 4, [0, 1, 2], seed=5)
    labels = np.array([7, -2, 30])
    scores = forest.scores(x, 3) + [0.1, 0.2, 0.3]
    for name, transform, result in [
            ("none", "NONE", scores), ("softmax", "SOFTMAX", softmax(scores)),
            ("logistic", "LOGISTIC", sigmoid(scores))]:
        yield Case(f"Classifier_{name}", "TreeEnsembleClassifier", {"x": x},
                   [labels[scores.argmax(1)], result.astype(np.float32)],
                   **forest.attributes("class"), post_transform=transform,
                   classlabels_int64s=labels.tolist(),
                   base_values=[0.1, 0.2, 0.3])
    sparse = forest.scores(x, 3)
    terms = np.where(np.abs(sparse) <= 1e-7,
                     sparse * np.exp(-sparse.max(1, keepdims=True)),
                     np.exp(sparse - sparse.max(1, keepdims=True)))
    yield Case("Classifier_softmax_zero", "TreeEnsembleClassifier", {"x": x},
               [labels[sparse.argmax(1)],
                (terms / terms.sum(1, keepdims=True)).astype(np.float32)],
               **forest.attributes("class"), post_transform="SOFTMAX_ZERO",
               classlabels_int64s=labels.tolist())
    # Of two classes the trees may know but one, as the first: it is the second.
    for positive in (True, False):
        forest = Forest(5, 4, [0], seed=6, positive=positive)
        score = forest.scores(x, 1)
        label = (score[:, 0] > (0.5 if positive else 0)).astype(np.int64)
        other = 1 - score if positive else -score
        yield Case(f"Classifier_binary_{positive}", "TreeEnsembleClassifier",
                   {"x": x},
                   [label, np.hstack([other, score]).astype(np.float32)],
                   **forest.attributes("class"), classlabels_int64s=[0, 1])
    yield Case("Classifier_binary_logistic", "TreeEnsembleClassifier",
               {"x": x},
               [label, sigmoid(np.hstack([-score, score])).astype(np.float32)],
               **forest.attributes("class"), classlabels_int64s=[0, 1],
               post_transform="LOGISTIC")
    forest = Forest(5, 4, [1], seed=6)
    scores = forest.scores(x, 2)
    yield Case("Classifier_binary_second", "TreeEnsembleClassifier", {"x": x},
               [(scores[:, 1] > 0).astype(np.int64),
                scores.astype(np.float32)],
               **forest.attributes("class"), classlabels_int64s=[0, 1])


def ensemble_cases():
    """TreeEnsemble: x[0] <= 0.5 ? leaf 0 : x[1] in {-1, 2, 1} ? leaf 1
    : leaf 2; and a tree with one comparison."""
    tensor = numpy_helper.from_array
    x = samples(30, 2)
    weights = np.array([1.5, -2, 0.25, 4, -8], np.float32)
    targets = [0, 1, 0, 1, 1]
    expected = np.zeros((30, 2), np.float32)
    for i, (a, b) in enumerate(x):
        leaf = 0 if a <= 0.5 else 1 if b in (-1, 2, 1) else 2
        expected[i, targets[leaf]] += weights[leaf]
        expected[i, 1] += weights[3 if b > 0 else 4]
    shared = dict(
        nodes_featureids=[0, 1, 1],
        nodes_modes=tensor(np.array([0, 6, 3], np.uint8)),
        nodes_splits=tensor(np.array([0.5, 0, 0], np.float32)),
        nodes_truenodeids=[0, 1, 3], nodes_trueleafs=[1, 1, 1],
        nodes_falsenodeids=[1, 2, 4], nodes_falseleafs=[0, 1, 1],
        membership_values=tensor(np.array([-1, 2, 1, np.nan], np.float32)),
        leaf_targetids=targets, leaf_weights=tensor(weights),
        tree_roots=[0, 2], n_targets=2)
    yield Case("TreeEnsemble", "TreeEnsemble", {"x": x}, [expected], **shared)
    yield Case("TreeEnsemble_softmax", "TreeEnsemble", {"x": x},
               [softmax(expected / 2)], **shared, post_transform=1,
               aggregate_function=0)


# ===----------------------------------------------------------------------=== #
# Linear models
# ===----------------------------------------------------------------------=== #

def linear_cases():
    x, w, b = random(9, 4), random(3, 4, seed=1), random(3, seed=2)
    given = {"coefficients": w.ravel().tolist(), "intercepts": b.tolist()}
    scores = x @ w.T + b
    yield Case("LinearRegressor", "LinearRegressor", {"x": x}, [scores],
               targets=3, **given)
    yield Case("LinearRegressor_double", "LinearRegressor",
               {"x": x.astype(np.float64)}, [scores], targets=3, **given)
    labels = np.array([4, -1, 9])
    for transform, result in [("NONE", scores), ("SOFTMAX", softmax(scores)),
                              ("LOGISTIC", sigmoid(scores))]:
        yield Case(f"LinearClassifier_{transform}", "LinearClassifier",
                   {"x": x}, [labels[scores.argmax(1)], result],
                   classlabels_ints=labels.tolist(), multi_class=1,
                   post_transform=transform, **given)
    score = scores[:, :1]
    yield Case("LinearClassifier_binary", "LinearClassifier", {"x": x},
               [np.where(score[:, 0] > 0, 5, 3),
                sigmoid(np.hstack([-score, score]))],
               classlabels_ints=[3, 5], post_transform="LOGISTIC",
               coefficients=w[0].tolist(), intercepts=b[:1].tolist())
    vectors, alpha = random(6, 4, seed=3), random(6, seed=4)
    given = {"support_vectors": vectors.ravel().tolist(), "n_supports": 6,
             "coefficients": alpha.tolist(), "rho": [0.3]}
    distance = ((x[:, None] - vectors[None])**2).sum(2)
    for kind, kernel in [("RBF", np.exp(-0.4 * distance)),
                         ("LINEAR", x @ vectors.T),
                         ("POLY", (0.4 * x @ vectors.T + 0.2)**3),
                         ("SIGMOID", np.tanh(0.4 * x @ vectors.T + 0.2))]:
        yield Case(f"SVMRegressor_{kind}", "SVMRegressor", {"x": x},
                   [(kernel @ alpha[:, None] + np.float32(0.3))
                    .astype(np.float32)], kernel_type=kind,
                   kernel_params=[0.4, 0.2, 3.0], 
                   tolerance=tolerances.KERNEL_MACHINE, **given)
    inside = np.exp(-0.4 * distance) @ alpha[:, None] + 0.3 > 0
    yield Case("SVMRegressor_one_class", "SVMRegressor", {"x": x},
               [np.where(inside, np.float32(1), np.float32(-1))],
               kernel_type="RBF", kernel_params=[0.4, 0.0, 0.0], one_class=1,
               **given)


# ===----------------------------------------------------------------------=== #
# Features
# ===----------------------------------------------------------------------=== #

def feature_cases():
    x = random(5, 4)
    offset, scale = random(4, seed=1), random(4, seed=2)
    yield Case("Scaler", "Scaler", {"x": x}, [(x - offset) * scale],
               offset=offset.tolist(), scale=scale.tolist())
    whole = integers(-9, 9, 5, 4)
    yield Case("Scaler_integers", "Scaler", {"x": whole},
               [((whole - 2) * 3).astype(np.float32)], offset=[2.0],
               scale=[3.0])
    x = x.copy()
    x[1] = 0
    for norm, size in [("MAX", x.max(1)), ("L1", np.abs(x).sum(1)),
                       ("L2", np.sqrt((x * x).sum(1)))]:
        size = np.where(size == 0, 1, size)[:, None]
        yield Case(f"Normalizer_{norm}", "Normalizer", {"x": x}, [x / size],
                   norm=norm)
    yield Case("Binarizer", "Binarizer", {"x": x},
               [(x > 0.25).astype(np.float32)], threshold=0.25)
    yield Case("ArrayFeatureExtractor", "ArrayFeatureExtractor", {"x": x},
               [x[:, [3, 0, 0]]], {"y": np.array([3, 0, 0])})
    gaps = x.copy()
    gaps[2, 1] = np.nan
    gaps[3] = np.nan
    yield Case("Imputer", "Imputer", {"x": gaps},
               [np.where(np.isnan(gaps), offset, gaps)],
               imputed_value_floats=offset.tolist(),
               replaced_value_float=float("nan"))
    yield Case("Imputer_integers", "Imputer", {"x": whole},
               [np.where(whole == 2, 50, whole)], imputed_value_int64s=[50],
               replaced_value_int64=2)
    yield Case("OneHotEncoder", "OneHotEncoder", {"x": whole},
               [(whole[..., None] == [3, -1, 2]).astype(np.float32)],
               cats_int64s=[3, -1, 2])
    yield Case("FeatureVectorizer", "FeatureVectorizer",
               {"a": x, "b": whole[:, :2]},
               [np.hstack([x, whole[:, :2]]).astype(np.float32)],
               inputdimensions=[4, 2])
    known = {3: 30, -1: 7, 2: 2**40}
    yield Case("LabelEncoder", "LabelEncoder", {"x": whole},
               [np.vectorize(lambda i: known.get(i, -5))(whole)],
               keys_int64s=list(known), values_int64s=list(known.values()),
               default_int64=-5)
    keys = {0.5: 1.5, float("nan"): -2.0}
    numbers = np.array([0.5, 0.25, np.nan, 0.5], np.float32)
    yield Case("LabelEncoder_floats", "LabelEncoder", {"x": numbers},
               [np.array([1.5, 9, -2, 1.5], np.float32)],
               keys_floats=list(keys), values_floats=list(keys.values()),
               default_float=9.0)


@parametrize([*tree_cases(), *ensemble_cases()])
def test_trees_match_numpy(case, backend):
    case.check(backend)


@parametrize([*linear_cases(), *feature_cases()])
def test_linear_model_or_feature_matches_numpy(case, backend):
    case.check(backend)


def probit_cases():
    """The quantiles of the normal distribution, as nearly as ONNX Runtime has
    them."""
    def probit(x):
        x = 2 * x - 1
        log = np.log((1 - x) * (1 + x))
        half = 2 / (3.14159 * 0.147) + log / 2
        return np.float32(np.sqrt(2) * np.sign(x) * np.sqrt(
            np.sqrt(half ** 2 - log / 0.147) - half))

    x = np.random.default_rng(0).uniform(.05, .95, (9, 3)).astype(np.float32)
    given = {"coefficients": np.eye(3).ravel().tolist(),
             "post_transform": "PROBIT"}
    yield Case("LinearRegressor_probit", "LinearRegressor", {"x": x},
               [probit(x)], targets=3, tolerance=tolerances.KERNEL_MACHINE,
               **given)
    yield Case("LinearClassifier_probit", "LinearClassifier", {"x": x},
               [x.argmax(1), probit(x)], classlabels_ints=[0, 1, 2],
               tolerance=tolerances.KERNEL_MACHINE, **given)


@parametrize(list(probit_cases()))
def test_probit_matches_numpy(case, backend):
    case.check(backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_features_of_unknown_number_are_counted_by_a_run(tmp_path, backend):
    model = builders.model(
        [builders.node("Scaler", ["x"], ["y"], domain="ai.onnx.ml",
                       offset=[1.0, 2.0, 3.0], scale=[2.0]),
         builders.node("FeatureVectorizer", ["y", "x"], ["z"],
                       domain="ai.onnx.ml", inputdimensions=[3, 3])],
        {"x": ("float32", ["n", "features"])}, {"z": ("float32", ["n", 6])})
    x = random(2, 3)
    z = run(model, {"x": x}, tmp_path, backend)["z"]
    np.testing.assert_allclose(z, np.hstack([(x - [1, 2, 3]) * 2, x]), rtol=1e-6)
    with pytest.raises(cli.NacreError, match="elements"):
        run(model, {"x": random(3, 1)}, tmp_path, backend)
