#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints an ONNX model as text: a line per value, constant and node, subgraphs
indented below the attribute that holds them.

usage: print.py MODEL.onnx
"""

import sys

import onnx

# What Debian's onnx has no name for.
NEWER = {17: "FLOAT8E4M3FN", 18: "FLOAT8E4M3FNUZ", 19: "FLOAT8E5M2",
         20: "FLOAT8E5M2FNUZ", 21: "UINT4", 22: "INT4", 23: "FLOAT4E2M1",
         24: "FLOAT8E8M0", 25: "UINT2", 26: "INT2"}


def element(number):
    return (NEWER.get(number) or onnx.TensorProto.DataType.Name(number)).lower()


def type_text(proto):
    kind = proto.WhichOneof("value")
    if kind == "tensor_type":
        text = element(proto.tensor_type.elem_type)
        if not proto.tensor_type.HasField("shape"):
            return text + "[*]"
        sizes = [dim.dim_param or ("?" if not dim.HasField("dim_value")
                                   else str(dim.dim_value))
                 for dim in proto.tensor_type.shape.dim]
        return f"{text}[{','.join(sizes)}]"
    if kind == "map_type":
        return (f"map({element(proto.map_type.key_type)}, "
                f"{type_text(proto.map_type.value_type)})")
    return f"{kind[:-5]}({type_text(getattr(proto, kind).elem_type)})"


def tensor_text(tensor):
    head = f"{element(tensor.data_type)}{list(tensor.dims)}"
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        place = {entry.key: entry.value for entry in tensor.external_data}
        return (f"{head} at {place['location']} {place['offset']}+"
                f"{place['length']}")
    if tensor.string_data:
        return f"{head} = {list(tensor.string_data)}"
    return f"{head} = 0x{tensor.raw_data.hex()}"


def attribute_text(attribute):
    value = onnx.helper.get_attribute_value(attribute)
    if attribute.type == onnx.AttributeProto.TENSOR:
        value = tensor_text(value)
    elif attribute.type == onnx.AttributeProto.TYPE_PROTO:
        value = type_text(value)
    return f"{attribute.name} = {value}"


def print_graph(graph, indent):
    for kind, values in (("input", graph.input), ("output", graph.output),
                         ("value", graph.value_info)):
        for value in values:
            print(f"{indent}{kind} {value.name}: {type_text(value.type)}")
    for tensor in graph.initializer:
        print(f"{indent}constant {tensor.name}: {tensor_text(tensor)}")
    for node in graph.node:
        domain = f"{node.domain}." if node.domain else ""
        inputs = ", ".join(name or "-" for name in node.input)
        outputs = ", ".join(name or "-" for name in node.output)
        plain = [attribute_text(attribute) for attribute in node.attribute
                 if attribute.type != onnx.AttributeProto.GRAPH]
        print(f"{indent}node {node.name}: {domain}{node.op_type}({inputs}) -> "
              f"{outputs}" + f" {{{', '.join(plain)}}}" * bool(plain))
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                print(f"{indent}  {attribute.name}: {attribute.g.name}")
                print_graph(attribute.g, indent + "    ")


model = onnx.load(sys.argv[1], load_external_data=False)
print(f"ir {model.ir_version}, by {model.producer_name}")
for entry in model.opset_import:
    print(f"opset {entry.domain or 'ai.onnx'} {entry.version}")
for entry in model.metadata_props:
    print(f"metadata {entry.key} = {entry.value}")
print(f"graph {model.graph.name}")
print_graph(model.graph, "  ")
