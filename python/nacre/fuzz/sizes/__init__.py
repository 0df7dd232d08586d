# ===- __init__.py - Random graphs of dynamic sizes, against numpy ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws graphs of sizes that only a run knows, and runs each at many sizes.

  graph        values with an array for each run, graphs of them
  movement, computation, images, quantized, recurrent, control
               what draws one operator, or several that belong together
  memory       blocks between pages that nobody may touch
  engine       compiles graphs, runs them in a process of their own and judges
  reduce       shrinks a graph that fails

What is right is computed with numpy, beside the node that is drawn. A graph
follows from a seed and a number. python/scripts/fuzz_sizes.py is the command.
"""

import numpy as np

from nacre.fuzz.graph import Rejected
from nacre.fuzz.sizes import (computation, control, images, movement,
                              quantized, recurrent)
from nacre.fuzz.sizes.graph import Graph

FAMILIES = (movement, computation, images, quantized, recurrent, control)
LEAST_NODES, MOST_NODES = 3, 12


def drawers(only=None):
    """What draws operators, and how often."""
    result = [(drawer, weight) for family in FAMILIES
              for drawer, weight in family.OPERATORS.items()
              if only is None or only in drawer.__name__
              or family.__name__.endswith(f".{only}")]
    if not result:
        raise ValueError(f"no operator's name holds '{only}'")
    return result


def grow(graph, table):
    """Draws an operator. True if it fits."""
    lists = (graph.nodes, graph.inputs, graph.values, graph.initializers,
             graph.outputs)
    lengths = [len(entries) for entries in lists]
    used = set(graph.used)
    weights = np.array([weight for _, weight in table], float)
    drawer = table[int(graph.rng.choice(len(table),
                                        p=weights / weights.sum()))][0]
    try:
        drawer(graph)
        return True
    except Rejected:
        for entries, length in zip(lists, lengths):
            del entries[length:]
        graph.used = used
        return False


def choose_outputs(graph):
    """What nothing reads, some of what something does, and sometimes an input."""
    results = [value for value in graph.values
               if value not in graph.inputs and value not in graph.outputs]
    graph.outputs += [value for value in results
                      if value.name not in graph.used or graph.chance(0.35)]
    if graph.inputs and graph.chance(0.12):
        graph.outputs.append(graph.choice(graph.inputs))
    graph.rng.shuffle(graph.outputs)


def generate(seed, index, only=None):
    """The graph number INDEX of SEED."""
    graph = Graph(np.random.default_rng([seed, index]))
    table = drawers(only)
    count = graph.between(LEAST_NODES, MOST_NODES)
    while len(graph.nodes) < count:
        grow(graph, table)
    choose_outputs(graph)
    shown = {value.name for value in graph.outputs}
    graph.inputs = [value for value in graph.inputs
                    if value.name in graph.used | shown]
    graph.initializers = [value for value in graph.initializers
                          if value.name in graph.used]
    return graph
