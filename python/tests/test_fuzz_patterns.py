# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph optimiser keeps results: graphs of the forms that it rewrites, on the
interpreter, as they are imported and as they are optimised."""

import pytest

from nacre import fuzz
from nacre.fuzz import engine

GRAPHS, BATCH = 60, 10


def test_each_form_is_drawn():
    drawers = {drawer for drawer, _ in fuzz.drawers("patterns")}
    assert drawers == set(fuzz.patterns.OPERATORS)
    kinds = {node.op_type for index in range(40)
             for node in fuzz.generate(2, index, only="patterns").nodes}
    assert {"Max", "Where", "PRelu", "Concat", "Slice", "Split", "Gather",
            "MaxPool", "Transpose", "ReduceMean", "MatMul"} <= kinds


@pytest.mark.parametrize("first", range(0, GRAPHS, BATCH))
def test_optimised_graphs_give_the_same(first):
    graphs = [fuzz.generate(3, index, only="patterns")
              for index in range(first, first + BATCH)]
    assert engine.check(engine.Case.of(graphs), engine.OPTIMIZED) is None
