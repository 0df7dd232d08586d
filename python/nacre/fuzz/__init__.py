# ===- __init__.py - Random ONNX graphs against the interpreter -------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random ONNX graphs and compares the backends on them.

  graph        values with intervals and error bounds, graphs of them
  elementwise, movement, neural, quantized, small
               what draws one operator, or a pattern of several, each
  patterns     what exporters write for one operator
  images       images and their layers, for neural, quantized and patterns
  control      branches and loops over the operators of all families
  bodies       the subgraphs of those
  engine       runs many graphs at once and judges the results
  reduce       shrinks a graph that fails

A graph follows from a seed and a number. python/scripts/fuzz.py is the
command.
"""

import numpy as np

from nacre.fuzz import (control, elementwise, movement, neural, patterns,
                        quantized, small)
from nacre.fuzz.graph import Graph

FAMILIES = ((elementwise, 0.33), (movement, 0.22), (neural, 0.22),
            (patterns, 0.07), (quantized, 0.1), (small, 0.01), (control, 0.05))
MOST_OPERATORS = 9


def drawers(only=None):
    """What draws operators, and how often: that of a family, or a function,
    whose name holds `only`."""
    result = []
    for family, share in FAMILIES:
        table = [(drawer, weight) for drawer, weight
                 in family.OPERATORS.items()
                 if only is None or only in drawer.__name__
                 or family.__name__.endswith(f".{only}")]
        total = sum(weight for _, weight in table)
        result += [(drawer, share * weight / total)
                   for drawer, weight in table]
    if not result:
        raise ValueError(f"no operator's name holds '{only}'")
    return result


def generate(seed, index, only=None):
    """The graph number INDEX of SEED; `only` limits the operators' names, not
    those in the bodies of branches and loops."""
    graph = Graph(np.random.default_rng([seed, index]), f"g{index}_",
                  drawers())
    graph.grow(graph.between(1, MOST_OPERATORS), drawers(only))
    while not graph.outputs():
        graph.grow(len(graph.nodes) + 1, drawers(only))
    # What was drawn for an operator that was rejected then.
    graph.inputs = [v for v in graph.inputs if v.name in graph.used]
    graph.initializers = [v for v in graph.initializers
                          if v.name in graph.used]
    return graph
