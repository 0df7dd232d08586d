# ===- kernels.py - Kernel steps to race against oneDNN --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and products of common networks, as one step each.

A step is what the compiler makes of a model of one operator, without what brings
its operands into the engine's layout: `isolate` takes the one engine op out of
the VPU level and makes its operands the inputs of a function of their own. So
layouts and packing are those that the compiler chooses, and a run is the step.
"""

import dataclasses
import random
import re

import numpy as np

from nacre import builders

# The engine's precision to oneDNN's types of the operands, and the type of the
# result where what reads it is an engine op, too.
TYPES = {"f32": ("f32", "f32"), "bf16": ("bf16", "bf16"), "int8": ("u8", "s8")}


@dataclasses.dataclass(frozen=True)
class Conv:
    """A convolution that keeps the image's size but for its stride."""

    inputs: int
    outputs: int
    size: int
    kernel: int
    stride: int = 1
    groups: int = 1

    @property
    def name(self):
        window = f"{self.kernel}x{self.kernel}"
        if self.groups == self.inputs == self.outputs:
            text = f"depthwise {window} {self.inputs}"
        else:
            grouped = f" {self.groups} groups" if self.groups > 1 else ""
            text = f"conv {window}{grouped} {self.inputs}-{self.outputs}"
        stride = f" stride {self.stride}" if self.stride > 1 else ""
        return f"{text} {self.size}x{self.size}{stride}"

    @property
    def operation(self):
        """In the words of dnnl-bench."""
        return ["conv", 1, self.inputs, self.outputs, self.size, self.kernel,
                self.stride, self.groups]

    @property
    def macs(self):
        result = -(-self.size // self.stride)
        return (self.outputs * result ** 2 * self.inputs // self.groups
                * self.kernel ** 2)

    def _node(self):
        shapes = ((1, self.inputs, self.size, self.size),
                  (self.outputs, self.inputs // self.groups, self.kernel,
                   self.kernel),
                  (1, self.outputs, *[-(-self.size // self.stride)] * 2))
        return "Conv", shapes, {
            "kernel_shape": [self.kernel] * 2, "strides": [self.stride] * 2,
            "pads": [self.kernel // 2] * 4, "group": self.groups}

    def model(self, precision):
        return _model(*self._node(), precision)


@dataclasses.dataclass(frozen=True)
class Product:
    rows: int
    inner: int
    columns: int

    @property
    def name(self):
        return f"matmul {self.rows}x{self.inner}x{self.columns}"

    @property
    def operation(self):
        return ["matmul", self.rows, self.inner, self.columns]

    @property
    def macs(self):
        return self.rows * self.inner * self.columns

    def model(self, precision):
        shapes = ((self.rows, self.inner), (self.inner, self.columns),
                  (self.rows, self.columns))
        return _model("MatMul", shapes, {}, precision)


# Raced always.
KERNELS = (
    Conv(256, 256, 28, 1), Conv(64, 256, 56, 1), Conv(960, 160, 7, 1),
    Conv(64, 64, 56, 3), Conv(512, 512, 7, 3), Conv(128, 128, 56, 3, 2),
    Conv(3, 64, 224, 7, 2), Conv(96, 96, 56, 3, groups=96),
    Conv(240, 240, 28, 5, groups=240), Conv(256, 256, 28, 3, groups=32),
    Product(512, 512, 512), Product(128, 768, 3072), Product(1, 768, 3072),
    Product(8, 1024, 1024), Product(4096, 64, 64))

# Layers of ResNet-50, ResNeXt-50, MobileNetV2, EfficientNet-B0, YOLO, BERT and
# GPT-2, of which some are drawn for a race.
MORE = (
    Conv(256, 64, 56, 1), Conv(512, 128, 28, 1), Conv(1024, 256, 14, 1),
    Conv(512, 2048, 7, 1), Conv(512, 1024, 28, 1, 2), Conv(128, 128, 28, 3),
    Conv(256, 256, 14, 3), Conv(256, 256, 28, 3, 2), Conv(24, 144, 56, 1),
    Conv(144, 32, 28, 1), Conv(384, 64, 14, 1), Conv(320, 1280, 7, 1),
    Conv(3, 32, 224, 3, 2), Conv(32, 64, 208, 3, 2), Conv(64, 128, 52, 3),
    Conv(128, 128, 56, 3, groups=32), Conv(512, 512, 14, 3, groups=32),
    Conv(144, 144, 56, 3, 2, 144), Conv(384, 384, 14, 3, groups=384),
    Conv(960, 960, 7, 3, groups=960), Conv(480, 480, 14, 5, groups=480),
    Conv(672, 672, 14, 5, 2, 672), Product(128, 768, 768),
    Product(128, 3072, 768), Product(384, 1024, 1024), Product(1, 3072, 768),
    Product(2, 768, 2304), Product(16, 512, 2048), Product(49, 768, 768),
    Product(1024, 1024, 1024), Product(197, 192, 576), Product(12, 256, 1000))


def choose(seed, more, only=()):
    """The kernels of a race: KERNELS and `more` of MORE, or those of both whose
    name has one of the texts `only`."""
    if only:
        return [kernel for kernel in (*KERNELS, *MORE)
                if any(text in kernel.name for text in only)]
    return [*KERNELS, *random.Random(seed).sample(MORE, min(more, len(MORE)))]


def _model(operator, shapes, attributes, precision):
    """y = x w in float, or of bytes in QDQ form."""
    left, right, result = map(list, shapes)
    draw = np.random.default_rng(1)
    if precision != "int8":
        weights = draw.uniform(-1, 1, right).astype(np.float32)
        return builders.single(operator, {"x": ("float32", left)},
                               {"y": ("float32", result)},
                               weights={"w": weights}, **attributes)
    scales = {"xs": np.float32(1 / 64), "xz": np.uint8(0),
              "ws": np.float32(1 / 64), "wz": np.int8(0),
              "ys": np.float32(1), "yz": np.uint8(0),
              "w": draw.integers(-127, 128, right).astype(np.int8)}
    nodes = [builders.node("DequantizeLinear", ["x", "xs", "xz"], ["xf"]),
             builders.node("DequantizeLinear", ["w", "ws", "wz"], ["wf"]),
             builders.node(operator, ["xf", "wf"], ["yf"], **attributes),
             builders.node("QuantizeLinear", ["yf", "ys", "yz"], ["y"])]
    return builders.model(nodes, {"x": ("uint8", left)},
                          {"y": ("uint8", result)}, scales)


_STEP = re.compile(r"%\S+ = (?P<op>VPU\.NCE\.\w+) (?P<rest>.*?)"
                   r"outs\((?P<out>%\w+) : (?P<type>tensor<[^>]*>)\)"
                   r"(?P<attributes>.*) -> tensor<[^>]*>$")
_OPERANDS = re.compile(r"(\w+)\(([^:()]*) : ([^()]*)\)")


class NoStep(Exception):
    """A model that did not become one step of the engine, with the reason."""


def isolate(text):
    """The module whose function is the one engine op of the VPU-level module
    `text`, and the element type of its result."""
    steps = [line.strip() for line in text.splitlines() if " VPU.NCE." in line]
    if len(steps) != 1:
        raise NoStep(f"became {len(steps)} engine ops")
    step = _STEP.match(steps[0])
    if not step:
        raise NoStep(f"cannot read '{steps[0]}'")
    arguments = []

    def rename(match):
        word, names, types = match.groups()
        # One type for each; no type has a comma.
        kinds = types.split(", ")
        first = len(arguments)
        arguments.extend(kinds)
        values = ", ".join(f"%arg{first + i}" for i in range(len(kinds)))
        assert names.count(",") + 1 == len(kinds)
        return f"{word}({values} : {types})"

    operands = _OPERANDS.sub(rename, step["rest"])
    parameters = ", ".join(f"%arg{i}: {kind}"
                           for i, kind in enumerate(arguments))
    result = step["type"]
    element = result.removesuffix(">").rpartition("x")[2]
    return (f"func.func @main({parameters}) -> {result} {{\n"
            f"  %out = tensor.empty() : {result}\n"
            f"  %step = {step['op']} {operands}outs(%out : {result})"
            f"{step['attributes']} -> {result}\n"
            f"  return %step : {result}\n}}\n"), element
