# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Support vector classifiers, on all backends, as ONNX Runtime has them."""

import numpy as np
import pytest
from onnx import TensorProto, helper

import nacre
from nacre import cases, tolerances
from nacre.cases import integers, parametrize, random


def Case(*arguments, **others):
    return cases.Case(*arguments, domain="ai.onnx.ml",
                      tolerance=tolerances.KERNEL_MACHINE, **others)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


class Machine:
    """A classifier of random support vectors."""

    def __init__(self, per_class, features=4, kind="RBF", seed=0):
        self.per_class, self.kind = per_class, kind
        self.classes, self.count = len(per_class), sum(per_class)
        self.pairs = [(i, j) for i in range(self.classes)
                      for j in range(i + 1, self.classes)]
        self.vectors = random(self.count, features, seed=seed)
        self.coefficients = random(self.classes - 1, self.count, seed=seed + 1)
        self.rho = random(len(self.pairs), seed=seed + 2) / 3
        self.a = -np.abs(random(len(self.pairs), seed=seed + 3)) - 0.5
        self.b = random(len(self.pairs), seed=seed + 4) / 5

    def attributes(self, labels, probabilities=False, **others):
        names = "classlabels_strings" if isinstance(labels[0], str) \
            else "classlabels_ints"
        found = {names: labels, "kernel_type": self.kind,
                 "kernel_params": [0.4, 0.2, 3.0],
                 "vectors_per_class": self.per_class,
                 "support_vectors": self.vectors.ravel().tolist(),
                 "coefficients": self.coefficients.ravel().tolist(),
                 "rho": self.rho.tolist(), **others}
        if probabilities:
            found.update(prob_a=self.a.tolist(), prob_b=self.b.tolist())
        return found

    def kernel(self, x):
        products = x @ self.vectors.T
        return {"LINEAR": lambda: products,
                "POLY": lambda: (0.4 * products + 0.2) ** 3,
                "SIGMOID": lambda: np.tanh(0.4 * products + 0.2),
                "RBF": lambda: np.exp(-0.4 * (
                    (x[:, None] - self.vectors) ** 2).sum(2))}[self.kind]()

    def scores(self, x):
        """The scores of pairs, and the votes for classes."""
        kernel = self.kernel(x.astype(np.float64))
        ends = np.cumsum(self.per_class)
        parts = [slice(end - n, end) for n, end in zip(self.per_class, ends)]
        scores, votes = [], np.zeros((len(x), self.classes))
        for (i, j), rho in zip(self.pairs, self.rho):
            scores.append(
                kernel[:, parts[i]] @ self.coefficients[j - 1, parts[i]]
                + kernel[:, parts[j]] @ self.coefficients[i, parts[j]] + rho)
            votes[scores[-1] > 0, i] += 1
            votes[scores[-1] <= 0, j] += 1
        return np.stack(scores, 1), votes

    def probabilities(self, scores):
        wins = np.clip(1 - sigmoid(scores * self.a + self.b), 1e-7, 1 - 1e-7)
        return np.stack([self.couple(row) for row in wins])

    def couple(self, wins):
        """libsvm's iteration, for one sample."""
        k = self.classes
        r = np.zeros((k, k))
        for (i, j), win in zip(self.pairs, wins):
            r[i, j], r[j, i] = win, 1 - win
        q = -r.T * r
        np.fill_diagonal(q, (r ** 2).sum(0))
        p = np.full(k, 1 / k)
        for _ in range(100):
            product = q @ p
            total = p @ product
            if np.abs(product - total).max() < 0.005 / k:
                break
            for i in range(k):
                step = (total - product[i]) / q[i, i]
                p[i] += step
                total = (total + step * (step * q[i, i] + 2 * product[i])) \
                    / (1 + step) ** 2
                product = (product + step * q[i]) / (1 + step)
                p /= 1 + step
        return p


def float32(array):
    return np.asarray(array, np.float32)


def classifier_cases():
    x = random(12, 4, seed=9)
    labels = np.array([4, -1, 9, 30])
    for kind in ("LINEAR", "POLY", "RBF", "SIGMOID"):
        machine = Machine([3, 2, 4], kind=kind)
        scores, votes = machine.scores(x)
        yield Case(f"three_{kind}", "SVMClassifier", {"x": x},
                   [labels[votes.argmax(1)], float32(scores)],
                   **machine.attributes([4, -1, 9]))
    machine = Machine([3, 1, 2, 4], seed=5)
    scores, votes = machine.scores(x)
    for transform, result in [("SOFTMAX", softmax(scores)),
                              ("LOGISTIC", sigmoid(scores))]:
        yield Case(f"four_{transform}", "SVMClassifier", {"x": x},
                   [labels[votes.argmax(1)], float32(result)],
                   **machine.attributes(labels.tolist(),
                                        post_transform=transform))
    yield Case("four_probabilities", "SVMClassifier", {"x": x},
               [labels[votes.argmax(1)],
                float32(machine.probabilities(scores))],
               **machine.attributes(labels.tolist(), probabilities=True))
    words = ["fish", "bird", "", "Käfer"]
    yield Case("four_strings", "SVMClassifier", {"x": x},
               [np.array(words, object)[votes.argmax(1)].astype("U"),
                float32(machine.probabilities(scores))],
               **machine.attributes(words, probabilities=True))
    machine = Machine([3, 4], seed=7)
    scores, votes = machine.scores(x)
    label = np.array([5, 3])[votes.argmax(1)]
    yield Case("two", "SVMClassifier", {"x": x},
               [label, float32(np.hstack([-scores, scores]))],
               **machine.attributes([5, 3]))
    yield Case("two_logistic", "SVMClassifier", {"x": x},
               [label, float32(sigmoid(np.hstack([-scores, scores])))],
               **machine.attributes([5, 3], post_transform="LOGISTIC"))
    for transform in ("SOFTMAX", "SOFTMAX_ZERO"):
        yield Case(f"two_{transform}", "SVMClassifier", {"x": x},
                   [label, float32(np.hstack([1 - scores, scores]))],
                   **machine.attributes([5, 3], post_transform=transform))
    yield Case("two_probabilities", "SVMClassifier", {"x": x},
               [label, float32(machine.probabilities(scores))],
               **machine.attributes([5, 3], probabilities=True))
    whole = integers(-3, 4, 12, 4, seed=3)
    scores, votes = machine.scores(whole)
    yield Case("two_of_integers", "SVMClassifier", {"x": whole},
               [np.array([5, 3])[votes.argmax(1)],
                float32(np.hstack([-scores, scores]))],
               **machine.attributes([5, 3]))


def linear_classifier_cases():
    x, w = random(12, 4, seed=9), random(3, 4, seed=1)
    scores = x @ w.T + np.float32(0.25)
    shared = dict(coefficients=w.ravel().tolist(), rho=[0.25],
                  kernel_type="LINEAR", kernel_params=[0.0, 0.0, 3.0])
    yield Case("linear_three", "SVMClassifier", {"x": x},
               [np.array([4, -1, 9])[scores.argmax(1)], softmax(scores)],
               classlabels_ints=[4, -1, 9], post_transform="SOFTMAX", **shared)
    yield Case("linear_words", "SVMClassifier", {"x": x},
               [np.array(["a", "b", "c"])[scores.argmax(1)], scores],
               classlabels_strings=["a", "b", "c"], **shared)
    two = scores[:, :2]
    # Of two, any positive score decides for the second.
    yield Case("linear_two", "SVMClassifier", {"x": x},
               [np.where(two.max(1) > 0, 9, np.array([4, 9])[two.argmax(1)]),
                two], classlabels_ints=[4, 9],
               **{**shared, "coefficients": w[:2].ravel().tolist()})


@parametrize([*classifier_cases(), *linear_classifier_cases()])
def test_classifier_matches_numpy(case, backend):
    case.check(backend)


@pytest.mark.parametrize("kind", ["LINEAR", "RBF"])
def test_compiled_classifier_takes_any_number_of_samples(tmp_path, kind):
    machine = Machine([3, 1, 2], kind=kind)
    words = ["a", "b", "c"]
    node = helper.make_node("SVMClassifier", ["x"], ["label", "p"],
                            domain="ai.onnx.ml",
                            **machine.attributes(words, probabilities=True))
    graph = helper.make_graph(
        [node], "svm",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 4])],
        [helper.make_tensor_value_info("label", TensorProto.STRING, ["N"]),
         helper.make_tensor_value_info("p", TensorProto.FLOAT, ["N", 3])])
    model = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)])
    model.ir_version = 8
    # Compiled once: a library has no specialisation to fall back on.
    session = nacre.InferenceSession(
        nacre.compile(model, tmp_path / "svm.so"))
    for count in (1, 7):
        x = random(count, 4, seed=count)
        scores, votes = machine.scores(x)
        label, p = session.run(None, {"x": x})
        assert label.tolist() == np.array(words)[votes.argmax(1)].tolist()
        np.testing.assert_allclose(p, machine.probabilities(scores),
                                   **tolerances.KERNEL_MACHINE)
