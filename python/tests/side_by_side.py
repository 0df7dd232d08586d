# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many operators beside each other in one model, each with inputs of its own:
few compilations for many cases, compared with the interpreter."""

import numpy as np
import onnx

from backends import run
from nacre import builders, cli
from test_dynamic_images import assert_near, compile_model, random


class Case:
    """An operator on random operands, the first of which are inputs of the
    model; the others are constants."""

    def __init__(self, op, shapes, inputs=1, **attributes):
        self.op = op
        self.shapes = shapes
        self.inputs = inputs
        self.attributes = attributes


def convolution(image, weights, inputs=1, **attributes):
    """Conv with a bias."""
    return Case("Conv", [image, weights, (weights[0],)], inputs, **attributes)


def transposed(image, weights, inputs=1, **attributes):
    """ConvTranspose with a bias."""
    outputs = weights[1] * attributes.get("group", 1)
    return Case("ConvTranspose", [image, weights, (outputs,)], inputs,
                **attributes)


def build(cases, dtype="float32"):
    """The model, of numbers of DTYPE, and its feeds; y0, y1, … are the cases'
    results."""
    nodes, feeds, types, weights, outputs = [], {}, {}, {}, {}
    for i, (name, case) in enumerate(cases.items()):
        operands = []
        for j, shape in enumerate(case.shapes):
            operands.append(f"x{i}_{j}")
            # Sums of as many products are of the same size then.
            fan = np.prod(shape[1:]) if j == 1 else 1
            array = (random(*shape) / np.sqrt(fan)).astype(dtype)
            if j < case.inputs:
                feeds[operands[-1]] = array
                types[operands[-1]] = (dtype, shape)
            else:
                weights[operands[-1]] = array
        nodes.append(builders.node(case.op, operands, [f"y{i}"], name,
                                   **case.attributes))
        rank = max(len(shape) for shape in case.shapes[:2])
        outputs[f"y{i}"] = (dtype, [f"o{i}_{d}" for d in range(rank)])
    return builders.model(nodes, types, outputs, weights), feeds


def check(cases, folder, threads, *options, dtype="float32", **near):
    model, feeds = build(cases, dtype)
    expected = run(model, feeds, folder, "interpreter")
    found = compile_model(model, folder, threads, *options).run(feeds)
    for i, name in enumerate(cases):
        assert_near(found[f"y{i}"], expected[f"y{i}"], name, **near)


def list_software(cases, folder, dtype="float32"):
    """The cases that are not left to the engine, but to kernels that sum or
    compare."""
    left = []
    for name, case in cases.items():
        model, _ = build({name: case}, dtype)
        path, vpu = folder / "model.onnx", folder / "model.mlir"
        onnx.save(model, str(path))
        cli.nacre("compile", path, "-o", vpu, "--emit=vpu")
        text = vpu.read_text()
        if "VPU.NCE" not in text or '"reduction"' in text:
            left.append(name)
    return left
