# ===- __init__.py - Random ONNX graphs against the interpreter -------------=== #
"""Generates random ONNX graphs and compares the backends on them.

  graph        values with intervals and error bounds, graphs of them
  elementwise, movement, neural, quantized, small
               what draws one operator, or a pattern of several, each
  images       images and their layers, for neural and quantized
  engine       runs many graphs at once and judges the results
  reduce       shrinks a graph that fails

A graph follows from a seed and a number. python/scripts/fuzz.py is the
command.
"""

import numpy as np

from nacre.fuzz import elementwise, movement, neural, quantized, small
from nacre.fuzz.graph import Graph, Rejected

FAMILIES = ((elementwise, 0.39), (movement, 0.25), (neural, 0.25),
            (quantized, 0.1), (small, 0.01))
MOST_OPERATORS = 9


def generate(seed, index, only=None):
    """The graph number INDEX of SEED; `only` limits the operators' names."""
    rng = np.random.default_rng([seed, index])
    graph = Graph(rng, f"g{index}_")
    tables = []
    for family, share in FAMILIES:
        drawers = [(drawer, weight) for drawer, weight
                   in family.OPERATORS.items()
                   if only is None or only in drawer.__name__]
        total = sum(weight for _, weight in drawers)
        tables += [(drawer, share * weight / total)
                   for drawer, weight in drawers]
    if not tables:
        raise ValueError(f"no operator's name holds '{only}'")
    weights = np.array([weight for _, weight in tables])
    weights /= weights.sum()
    wanted = graph.between(1, MOST_OPERATORS)
    while len(graph.nodes) < wanted:
        drawer = tables[int(rng.choice(len(tables), p=weights))][0]
        try:
            drawer(graph)
        except Rejected:
            continue
    # What was drawn for an operator that was rejected then.
    graph.inputs = [v for v in graph.inputs if v.name in graph.used]
    graph.initializers = [v for v in graph.initializers
                          if v.name in graph.used]
    return graph
