# ===- reduce.py - Shrinks a graph that fails --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drops nodes from a failing case while it still fails in the same way.

The nodes above a value are replaced by an input that holds what the
interpreter computes there, those below by making the value an output.
"""

from onnx import helper

from nacre import builders
from nacre.fuzz import engine
from nacre.fuzz.graph import every_node


def values_of(case):
    """What the interpreter computes at every value that it gets to."""
    names = [name for node in case.model.graph.node for name in node.output
             if name in case.values]

    def evaluate(wanted):
        return engine.run(cut(case, {}, wanted, []), engine.ORACLE)

    arrays = evaluate(names)
    if not isinstance(arrays, engine.Failure):
        return arrays
    found = (evaluate([name]) for name in names)
    return {name: array for result in found
            if not isinstance(result, engine.Failure)
            for name, array in result.items()}


def read(node):
    """The names that NODE reads, those that its bodies capture included."""
    names = [name for inner in every_node([node]) for name in inner.input]
    return names + [output.name for inner in every_node([node])
                    for attribute in inner.attribute
                    for output in attribute.g.output]


def cut(case, arrays, outputs, given):
    """The part of CASE between the values `given` and `outputs`."""
    graph = case.model.graph
    wanted, nodes = set(outputs), []
    for node in reversed(graph.node):
        if any(name in wanted and name not in given for name in node.output):
            nodes.insert(0, node)
            # Names are unique: those within a body do no harm.
            wanted.update(read(node))
    made = {name for node in nodes for name in node.output}
    # Of types that no file holds, such as int4, there are no values.
    if not made & set(outputs) & set(case.values) or made & set(given):
        return None
    inputs = {name: array for name, array in
              [*case.inputs.items(), *((n, arrays[n]) for n in given)]
              if name in wanted}
    declared = {value.name: value for value in [*graph.input, *graph.output]}
    smaller = helper.make_graph(
        nodes, graph.name,
        [declared[name] if name in case.inputs else
         builders.value(name, array.dtype, array.shape)
         for name, array in inputs.items()],
        [declared[name] if name in declared else
         builders.value(name, *case.values[name][:2]) for name in outputs
         if name in made and name in case.values],
        [tensor for tensor in graph.initializer if tensor.name in wanted])
    model = helper.make_model(smaller, producer_name="nacre",
                              opset_imports=case.model.opset_import)
    model.ir_version = case.model.ir_version
    return engine.Case(model, inputs, case.values,
                       case.symbolic & set(inputs))


def reduce(case, config, report=print):
    """The smallest case found that fails as CASE does."""
    failure = engine.check(case, config)
    if failure is None:
        report("it does not fail any more")
        return case, None
    arrays = values_of(case)

    def attempt(outputs, given):
        nonlocal case, failure
        smaller = cut(case, arrays, outputs, given)
        if smaller is None or (len(smaller.model.graph.node),
                               len(smaller.model.graph.output)) >= (
                len(case.model.graph.node), len(case.model.graph.output)):
            return False
        now = engine.check(smaller, config)
        if now is None or now.kind != failure.kind:
            return False
        case, failure = smaller, now
        report(f"  {len(case.model.graph.node)} nodes: {now.message[:100]}")
        return True

    shrinks = True
    while shrinks:
        shrinks = False
        names = [name for node in case.model.graph.node
                 for name in node.output if name]
        # The earliest value that is wrong, by itself.
        for name in names:
            shrinks |= attempt([name], [])
        outputs = [value.name for value in case.model.graph.output]
        for name in reversed(names):
            outputs = [value.name for value in case.model.graph.output]
            if name not in outputs and name in arrays:
                shrinks |= attempt(outputs, [name])
        for name in list(outputs):
            if len(outputs) > 1:
                left = [other for other in outputs if other != name]
                if attempt(left, []):
                    outputs, shrinks = left, True
    return case, failure
