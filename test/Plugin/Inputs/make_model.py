# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models with operators of com.example.toy into the folder of the first
argument, with inputs and what numpy computes of them."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DOMAIN = "com.example.toy"
OPSET = 17


def bump(x, height):
    return (height * np.exp(-x.astype(np.float64) ** 2)).astype(x.dtype)


def write(folder, name, nodes, shape, inputs, expected, version=1,
          element=TensorProto.FLOAT):
    """A model of NODES, which compute y of the INPUTS, in FOLDER/NAME.onnx; its
    data are in FOLDER/NAME."""
    graph = helper.make_graph(
        nodes, "toy",
        [helper.make_tensor_value_info(key, element, shape) for key in inputs],
        [helper.make_tensor_value_info("y", element, shape)])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET),
                              helper.make_opsetid(DOMAIN, version)])
    model.ir_version = 8
    onnx.save(model, folder / f"{name}.onnx")
    data = folder / name
    data.mkdir(exist_ok=True)
    for i, (key, value) in enumerate(inputs.items()):
        tensor = numpy_helper.from_array(value, key)
        (data / f"input_{i}.pb").write_bytes(tensor.SerializeToString())
    tensor = numpy_helper.from_array(expected, "y")
    (data / "output_0.pb").write_bytes(tensor.SerializeToString())


def toy(kind, inputs, outputs, name, **attributes):
    return helper.make_node(kind, inputs, outputs, name=name, domain=DOMAIN,
                            **attributes)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 5)).astype(np.float32)
    c = rng.standard_normal((3, 5)).astype(np.float32)

    # Between operators of ONNX, with an input that is left out.
    nodes = [helper.make_node("Relu", ["x"], ["r"], name="relu"),
             toy("Bump", ["r"], ["b"], "bump", height=2.5),
             toy("Mix", ["b", "", "c"], ["m"], "mix"),
             helper.make_node("Neg", ["m"], ["y"], name="neg")]
    expected = -(bump(np.maximum(x, 0), 2.5) + 3 * c)
    for name, shape in (("net", [3, 5]), ("open", ["rows", 5])):
        write(folder, name, nodes, shape, {"x": x, "c": c}, expected)
    write(folder, "newer", nodes, [3, 5], {"x": x, "c": c}, expected, version=2)

    empty = np.zeros((0, 5), np.float32)
    write(folder, "empty", nodes, ["rows", 5], {"x": empty, "c": empty}, empty)
    half = x.astype(np.float16)
    write(folder, "half", [toy("Bump", ["x"], ["y"], "bump")], [3, 5],
          {"x": half}, bump(half, 1), element=TensorProto.FLOAT16)

    unknown = [toy("Bumpy", ["x"], ["y"], "bumpy")]
    write(folder, "unknown", unknown, [3, 5], {"x": x}, x)
    wrong = [toy("Bump", ["x"], ["y"], "bump", width=2.0)]
    write(folder, "attribute", wrong, [3, 5], {"x": x}, x)
    lacking = [toy("Mix", ["", "x"], ["y"], "mix")]
    write(folder, "lacking", lacking, [3, 5], {"x": x}, x)


if __name__ == "__main__":
    main()
