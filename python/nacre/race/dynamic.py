# ===- dynamic.py - Cases of sizes that only a run knows --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models with symbols for sizes, from the recipes of all others.

A recipe is drawn once for each run, with the same choices and other sizes: of the
batch, of sequences, of images whose height is not their width. What then differs
between the shapes of inputs is what a run may choose, so it is a symbol, and what
is equal in all of them has one symbol. Weights are those of the first run; one
whose shape differs, or that holds sizes, is an input.
"""

import dataclasses

import numpy as np

from nacre import race


@dataclasses.dataclass
class Run:
    """What a run chooses."""

    name: str
    elements: int
    batch: int
    # By how much images are wider than they are high.
    skew: int
    # Rows and steps are as many as in all other runs.
    same_counts: bool = False

    def count(self, choices):
        """A number of rows or steps: the least or the largest of CHOICES, or what
        lies between."""
        middle = choices[len(choices) // 2]
        if self.same_counts:
            return middle
        return {"small": choices[0], "typical": middle, "large": choices[-1],
                "odd": 2 * middle // 3 + 1}[self.name]


# Which sizes are dynamic: those of sequences and images, of the batch, or both.
SIZES = [("small", 1 << 12, 1, 0), ("typical", 1 << 17, 1, 4),
         ("large", 1 << 21, 1, 0), ("odd", 57119, 1, 5)]
BATCHES = [("small", 1 << 14, 1, 0, True), ("typical", 1 << 14, 4, 0, True),
           ("large", 1 << 14, 64, 0, True), ("odd", 1 << 14, 7, 0, True)]
BOTH = [("small", 1 << 12, 1, 0), ("typical", 1 << 16, 2, 4),
        ("large", 1 << 18, 8, 0), ("odd", 19039, 3, 5)]


def _draw(plan, seed, name, function, dtype):
    draws = []
    for run in plan:
        draws.append(race.Draw(seed, name, dtype, race.DYNAMIC, Run(*run)))
        function(draws[-1])
    return draws


def _holds_sizes(arrays):
    """Whether these, of one name, are numbers that follow from sizes."""
    first = arrays[0]
    return (first.dtype == np.int64 and first.size <= 16
            and all(array.shape == first.shape for array in arrays)
            and any(np.any(array != first) for array in arrays))


def _share_weights(draws):
    first = draws[0]
    for name in [*first.weights]:
        arrays = [draw.weights[name] for draw in draws]
        if (len({array.shape for array in arrays}) > 1
                or _holds_sizes(arrays)):
            for draw in draws:
                draw.inputs[name] = draw.weights.pop(name)


def _symbols(draws):
    """The shapes of the inputs with a name for what differs."""
    known = {}
    shapes = {}
    for name in draws[0].inputs:
        shapes[name] = [
            sizes[0] if len(set(sizes)) == 1
            else known.setdefault(sizes, "NMKLPQRSTUVWXYZ"[len(known)])
            for sizes in zip(*(draw.inputs[name].shape for draw in draws))]
    return shapes


def _has_sizes(draws, shapes):
    """Whether a run chooses something."""
    return any(
        any(isinstance(size, str) for size in shape)
        or _holds_sizes([draw.inputs[name] for draw in draws])
        for name, shape in shapes.items())


def build(seed, name, function, dtype):
    """A case for each run, all of one model."""
    for plan in _plans(seed, name, dtype):
        draws = _draw(plan, seed, name, function, dtype)
        _share_weights(draws)
        shapes = _symbols(draws)
        if _has_sizes(draws, shapes):
            break
    else:
        return []
    model = draws[0].model(shapes)
    symbols = " ".join("x".join(map(str, shape)) or "scalar"
                       for shape in shapes.values())
    for draw in draws:
        draw.weights = draws[0].weights
    return [draw.case(dtype, model, symbols) for draw in draws]


def _plans(seed, name, dtype):
    """One that is drawn, and the one that most recipes have sizes for."""
    draw = race.Draw(f"plan {seed}", name, dtype, "small")
    return [draw.among(SIZES, SIZES, BATCHES, BOTH), SIZES]
