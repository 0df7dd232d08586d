# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many small models with their test data as one: a process for each would take
longer than the models."""

import itertools
import shutil

import onnx


def _prefix_names(names, prefix):
    names[:] = [name and prefix + name for name in names]


def _prefix_type(proto, prefix):
    kind = proto.WhichOneof("value")
    if kind in ("sequence_type", "optional_type"):
        _prefix_type(getattr(proto, kind).elem_type, prefix)
    elif kind == "tensor_type":
        for dim in proto.tensor_type.shape.dim:
            # Equal names are equal sizes.
            if dim.dim_param:
                dim.dim_param = prefix + dim.dim_param


def _prefix_graph(graph, prefix):
    for value in itertools.chain(graph.input, graph.output, graph.value_info):
        value.name = prefix + value.name
        _prefix_type(value.type, prefix)
    for tensor in graph.initializer:
        tensor.name = prefix + tensor.name
    for tensor in graph.sparse_initializer:
        tensor.values.name = prefix + tensor.values.name
    for node in graph.node:
        node.name = prefix + node.name
        _prefix_names(node.input, prefix)
        _prefix_names(node.output, prefix)
        for attribute in node.attribute:
            for subgraph in (attribute.g, *attribute.graphs):
                _prefix_graph(subgraph, prefix)


def _copy_data(source, target, prefix, first):
    for file in source.glob(f"{prefix}_*.pb"):
        number = int(file.stem.rpartition("_")[2]) + first
        shutil.copyfile(file, target / f"{prefix}_{number}.pb")


def merge(tests, folder):
    """Writes FOLDER/model.onnx and FOLDER/test_data_set_0 of TESTS, which maps
    names to folders of the same kind, all of the same operator set. Values are
    called TEST/NAME."""
    merged = onnx.ModelProto()
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    graph = merged.graph
    graph.name = folder.name
    for name, source in tests.items():
        model = onnx.load(str(source / "model.onnx"))
        prefix = f"{name}/"
        _prefix_graph(model.graph, prefix)
        _copy_data(source / "test_data_set_0", data, "input", len(graph.input))
        _copy_data(source / "test_data_set_0", data, "output",
                   len(graph.output))
        merged.ir_version = max(merged.ir_version, model.ir_version)
        del merged.opset_import[:]
        merged.opset_import.extend(model.opset_import)
        graph.MergeFrom(_without_name(model.graph))
    onnx.save(merged, str(folder / "model.onnx"))


def _without_name(graph):
    graph.ClearField("name")
    return graph


def group(tests):
    """TESTS by the operator sets of their models, the name of a group first."""
    groups = {}
    for name, folder in tests.items():
        model = onnx.load(str(folder / "model.onnx"))
        key = "-".join(f"{entry.domain or 'onnx'}{entry.version}"
                       for entry in sorted(model.opset_import,
                                           key=lambda entry: entry.domain))
        groups.setdefault(key, {})[name] = folder
    return groups
