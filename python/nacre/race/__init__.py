# ===- __init__.py - Operators to race against ONNX Runtime ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws small models from the operators' definitions, for a race of operators.

Which operators there are, with how many operands of which element types, is read
from ONNX's schemas. What a schema does not say, such as the weights of a
convolution or the axis of a Gather, a recipe does: a function of a family's
module that takes a `Draw` and returns the nodes of a model. An operator without a
recipe whose operands all have one type is raced on tensors of one shape; what is
left is listed by `missing()`.

Sizes are drawn around those that networks use, from the seed: small (thousands
of elements), typical (hundreds of thousands) and large (millions). A dynamic case
is a model with symbols for sizes, and inputs of several (`dynamic`).
"""

import dataclasses
import math
import zlib

import numpy as np
import onnx
from onnx import defs, helper, numpy_helper, shape_inference

from nacre import builders

OPSET = 17
# ONNX's number of a type that the packaged onnx may not know.
INT4 = 22
SIZES = {"small": 1 << 12, "typical": 1 << 18, "large": 1 << 22}
# The size of a case whose sizes only a run knows.
DYNAMIC = "dynamic"
# The element types that networks compute with, by ONNX's names.
TYPES = {"float": np.float32, "float16": np.float16, "double": np.float64,
         "int64": np.int64, "int32": np.int32, "uint8": np.uint8,
         "int8": np.int8, "bool": np.bool_}
MICROSOFT = "com.microsoft"

# The least signal over noise by element type: sums are added in another order,
# and of float16, which has 11 bits, ONNX Runtime rounds between some nodes, too.
DECIBELS = {"float": 80, "double": 100, "float16": 40}

# The operator or idiom to its recipe, element types and the least signal over
# noise, if any; filled by `recipe`.
RECIPES = {}


@dataclasses.dataclass
class Case:
    """A model with its inputs."""

    operator: str
    dtype: str
    size: str
    description: str
    model: onnx.ModelProto
    inputs: dict
    # The least signal over noise of the outputs; None if they are equal.
    decibels: float = None
    # The shapes of the inputs with symbols, if sizes are dynamic.
    symbols: str = ""

    @property
    def name(self):
        return f"{self.operator}, {self.dtype}, {self.size}"


class Draw:
    """What a recipe draws from, and the model that it makes.

    `dtype` is the numpy type of the case, `size` how large its weights are,
    `elements` about how many elements its largest tensor has. With a RUN, which is
    one of those of a dynamic case, sizes that a run may choose are that run's, and
    all choices are those of the other runs.
    """

    def __init__(self, seed, operator, dtype, size, run=None):
        # The same case whatever others are drawn.
        key = zlib.crc32(f"{seed} {operator} {dtype} {size}".encode())
        self.random = np.random.default_rng(key)
        # How many numbers values take depends on the run's sizes.
        self.choices = np.random.default_rng(key + 1) if run else self.random
        self.operator = operator
        self.dtype = np.dtype(TYPES[dtype])
        self.size = "typical" if run else size
        self.elements = run.elements if run else SIZES[size]
        self.batch = run.batch if run else 1
        self.run = run
        self.inputs = {}
        self.weights = {}
        self.packed = []
        self.opset = OPSET
        self.nodes = []
        self.typed = []

    # Sizes.

    def among(self, *choices):
        return choices[self.choices.integers(len(choices))]

    def count(self, *choices):
        """How many rows there are: one of some choices, in ascending order, or the
        run's."""
        return self.run.count(choices) if self.run else self.among(*choices)

    def by_size(self, small, typical, large):
        """How long a sequence is, by the case's size or the run's."""
        if self.run:
            return self.run.count((small, typical, large))
        return {"small": small, "typical": typical, "large": large}[self.size]

    def weights_by_size(self, small, typical, large):
        """What no run may choose."""
        return {"small": small, "typical": typical, "large": large}[self.size]

    def edges(self, elements):
        """Height and width of an image."""
        edge = int(elements ** 0.5)
        return edge, edge + (self.run.skew if self.run else 0)

    def shape(self, ranks=(2, 3, 4)):
        """A shape as those of activations: channels, features, positions."""
        rank = self.among(*ranks)
        shape = [1] * (rank - 1)
        inner = self.among(64, 96, 128, 256) if self.size != "small" else 32
        if rank == 1:
            return (self.elements + self.among(0, 5),)
        if rank >= 4:
            more = self.among(0, 1)
            height, width = self.edges(self.elements / inner)
            return (*[1] * (rank - 4), self.batch, inner, height + more,
                    width + more)
        shape[-1] = self.elements // (4 * inner) + self.among(0, 1, 3)
        if rank == 3:
            shape[0] = self.batch
        return (*shape[:-1], shape[-1], 4 * inner)

    def image(self, channels=None):
        """A batch of images, (1, channels, height, width) where the size is
        known."""
        channels = channels or self.among(16, 32, 64, 96)
        return (self.batch, channels,
                *(max(7, edge) for edge in self.edges(self.elements / channels)))

    # Values.

    def values(self, shape, low=-2, high=2, dtype=None):
        """Random numbers of the case's type, or DTYPE."""
        dtype = np.dtype(dtype or self.dtype)
        if dtype == bool:
            return self.random.integers(0, 2, shape).astype(bool)
        if dtype.kind == "f":
            return self.random.uniform(low, high, shape).astype(dtype)
        if (low, high) != (-2, 2):
            # Where the operator is defined, and its results are numbers of
            # the type.
            return self.random.integers(math.ceil(low), math.floor(high) + 1,
                                        shape).astype(dtype)
        if dtype.kind == "u":
            return self.random.integers(1, 100, shape).astype(dtype)
        return self.random.integers(-100, 100, shape).astype(dtype)

    def input(self, array, name=None):
        """A graph input with these values; its name."""
        name = name or f"x{len(self.inputs)}"
        # ascontiguousarray would give a scalar a dimension.
        self.inputs[name] = np.asarray(array, order="C")
        return name

    def weight(self, array, name=None):
        """An initializer; its name."""
        name = name or f"w{len(self.weights)}"
        self.weights[name] = np.asarray(array, order="C")
        return name

    def four_bits(self, shape):
        """An initializer of random int4, of operator set 21; its name."""
        self.opset = max(self.opset, 21)
        name = f"q{len(self.packed)}"
        data = self.random.integers(0, 256, (math.prod(shape) + 1) // 2)
        self.packed.append(onnx.TensorProto(
            name=name, dims=shape, data_type=INT4,
            raw_data=data.astype(np.uint8).tobytes()))
        return name

    # Nodes.

    def node(self, operator, inputs, outputs=1, domain="", types=None,
             **attributes):
        """Adds a node; the names of its outputs, or its only one. TYPES are
        those of its outputs, where ONNX does not know the operator."""
        names = [f"v{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names,
                                           domain=domain, **attributes))
        for name, dtype in zip(names, types or []):
            self.typed.append(builders.value(name, dtype, None))
        return names if outputs > 1 else names[0]

    def describe(self):
        shapes = ["x".join(map(str, array.shape)) or "scalar"
                  for array in [*self.inputs.values(), *self.weights.values()]]
        return " ".join(shapes)

    def model(self, shapes):
        """The model, whose outputs are what no node reads; its inputs have these
        SHAPES."""
        read = {name for node in self.nodes for name in node.input}
        outputs = [name for node in self.nodes for name in node.output
                   if name and name not in read]
        graph = helper.make_graph(
            self.nodes, "operator",
            [builders.value(name, array.dtype, shapes[name])
             for name, array in self.inputs.items()],
            [helper.make_empty_tensor_value_info(name) for name in outputs],
            [*self.packed, *(numpy_helper.from_array(array, name)
                             for name, array in self.weights.items())],
            value_info=self.typed)
        opsets = [helper.make_opsetid("", self.opset)]
        if any(node.domain == MICROSOFT for node in self.nodes):
            opsets.append(helper.make_opsetid(MICROSOFT, 1))
        model = helper.make_model(graph, producer_name="nacre",
                                  opset_imports=opsets)
        model.ir_version = 8
        _declare_outputs(model, outputs, self.typed)
        return model

    def case(self, dtype, model=None, symbols=""):
        """The case of MODEL, by default that of the shapes at hand."""
        model = model or self.model({name: array.shape for name, array
                                     in self.inputs.items()})
        _, _, decibels = RECIPES.get(self.operator, (None, None, None))
        return Case(self.operator, dtype,
                    self.run.name if self.run else self.size, self.describe(),
                    model, self.inputs, decibels or DECIBELS.get(dtype), symbols)


def _declare_outputs(model, names, typed):
    """Gives the graph's outputs the types that inference finds."""
    known = {value.name: value for value in typed}
    if any(name not in known for name in names):
        inferred = shape_inference.infer_shapes(model)
        known.update(
            (value.name, value) for value in
            [*inferred.graph.value_info, *inferred.graph.output]
            if value.type.HasField("tensor_type"))
    del model.graph.output[:], model.graph.value_info[:]
    model.graph.output.extend(known[name] for name in names)


def recipe(*names, types=("float", "float16"), decibels=None):
    """Registers how the operators, or the idiom, of these names are drawn."""
    def register(function):
        for name in names:
            RECIPES[name] = (function, types, decibels)
        return function
    return register


def schemas():
    """ONNX's operators as the operator set of the cases has them: an onnx may
    have newer ones."""
    newest = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "" and schema.since_version <= OPSET:
            known = newest.setdefault(schema.name, schema)
            if schema.since_version > known.since_version:
                newest[schema.name] = schema
    return {name: schema for name, schema in newest.items()
            if not schema.deprecated}


def _element_types(schema, formal):
    """Which of TYPES a schema allows for one of its inputs."""
    allowed = {text[len("tensor("):-1] for text in formal.types
               if text.startswith("tensor(")}
    return [name for name in TYPES if name in allowed]


def _is_uniform(schema):
    """True for operators of one or two tensors and nothing else: those are
    raced on tensors of one shape without a recipe."""
    single = defs.OpSchema.FormalParameterOption.Single
    return (1 <= len(schema.inputs) <= 2 and len(schema.outputs) == 1
            and all(formal.option == single for formal in schema.inputs)
            and not any(a.required for a in schema.attributes.values())
            and all(_element_types(schema, formal)
                    for formal in schema.inputs))


def _draw_uniform(draw):
    from nacre.race import domains
    shape = draw.shape()
    low, high = domains.LIMITS.get(draw.operator, (-2, 2))
    schema = schemas()[draw.operator]
    draw.node(draw.operator,
              [draw.input(draw.values(shape, low, high))
               for _ in schema.inputs])


def _plans():
    """(operator, recipe, element types) of everything that can be raced."""
    from nacre.race import (domains, idioms, movement, neural,  # noqa: F401
                            quantized, selection)
    for name, (function, types, _) in RECIPES.items():
        yield name, function, types
    for name, schema in sorted(schemas().items()):
        if name not in RECIPES and name not in domains.LEFT_OUT \
                and _is_uniform(schema):
            yield name, _draw_uniform, _element_types(schema,
                                                      schema.inputs[0])


def missing():
    """The operators that are not raced, with the reason where there is one."""
    from nacre.race import domains
    raced = {name for name, _, _ in _plans()}
    return {name: domains.LEFT_OUT.get(name, "no recipe")
            for name in sorted(schemas()) if name not in raced}


def draw_cases(seed, only=()):
    """Every operator and idiom, with every element type, in every size and with
    sizes that only a run knows."""
    for name, function, types in _plans():
        if only and not any(text.lower() in name.lower() for text in only):
            continue
        for dtype in types:
            for size in (*SIZES, DYNAMIC):
                yield seed, name, function, dtype, size


def build(seed, name, function, dtype, size):
    """The cases that an entry of `draw_cases` stands for: one, or those of a
    model with several sizes, of which there are none where a recipe has no size
    that a run may choose."""
    if size == DYNAMIC:
        from nacre.race import dynamic
        return dynamic.build(seed, name, function, dtype)
    draw = Draw(seed, name, dtype, size)
    function(draw)
    return [draw.case(dtype)]
