# ===- reduce.py - Shrinks a graph of dynamic sizes that fails --------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drops nodes, outputs and runs from a graph while it still fails in the same way.

What numpy computed for a value is known for all runs, so that an input can take
the place of the nodes above it.
"""

import copy

from nacre.fuzz.reduce import read
from nacre.fuzz.sizes import engine


def cut(graph, outputs, given):
    """The part of GRAPH between the values named `given` and `outputs`; None where
    that is no graph."""
    known = {value.name: value
             for value in [*graph.inputs, *graph.values, *graph.outputs]}
    wanted, nodes = set(outputs), []
    for node in reversed(graph.nodes):
        if any(name in wanted and name not in given for name in node.output):
            nodes.insert(0, node)
            wanted.update(read(node))
    made = {name for node in nodes for name in node.output}
    if not nodes or made & set(given) or not made & set(outputs):
        return None
    smaller = copy.copy(graph)
    smaller.nodes = nodes
    first = {value.name for value in graph.inputs} | set(given)
    smaller.inputs = [known[name] for name in known
                      if name in first and name in wanted]
    smaller.initializers = [value for value in graph.initializers
                            if value.name in wanted]
    smaller.outputs = [known[name] for name in outputs
                       if name in made or name in first]
    return smaller


def size(graph):
    return len(graph.nodes), len(graph.outputs), len(graph.inputs)


def reduce(graph, failure, report=print):
    """The smallest graph found that fails as GRAPH does, and how."""
    def attempt(outputs, given):
        nonlocal graph, failure
        smaller = cut(graph, outputs, given)
        if smaller is None or size(smaller) >= size(graph):
            return False
        now = engine.check(engine.Case.of(smaller), [failure.config])
        if now is None or now.kind != failure.kind:
            return False
        graph, failure = smaller, now
        report(f"  {len(graph.nodes)} nodes: {now.message[:120]}")
        return True

    shrinks = True
    while shrinks:
        shrinks = False
        outputs = [value.name for value in graph.outputs]
        for name in list(outputs):
            left = [other for other in outputs if other != name]
            if left and attempt(left, []):
                outputs, shrinks = left, True
        # Of sequences there are no arrays.
        known = {value.name for value in graph.values}
        values = [name for node in graph.nodes for name in node.output
                  if name in known]
        for name in values:
            shrinks |= attempt([name], [])
        for name in values[::-1]:
            outputs = [value.name for value in graph.outputs]
            shrinks |= attempt(outputs, [name])
            if name in outputs and len(outputs) == 1:
                continue
            # Without what comes behind it.
            shrinks |= attempt([*(other for other in outputs if any(
                other in node.output and name not in read(node)
                for node in graph.nodes)), name], [])
    return graph, failure
