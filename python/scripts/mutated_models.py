#!/usr/bin/python3
# ===- mutated_models.py - Models whose meaning is damaged -----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds well-formed files of broken meaning to nacre and watches what it does.

Each is one of ONNX's own test models in which something was changed: an
attribute, an input of a node, a type, an operator, the operator set, an output
of a subgraph. The n-th of a seed is the same in every run. `compile`, `info` and
`run` must end with an exit status of 0 to 3, a refusal with a message, within
20 seconds and 6 GB of memory.
"""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

import onnx
from onnx import AttributeProto, TensorProto, helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli, suite  # noqa: E402

DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
SECONDS = 20
MEMORY_BYTES = 6 << 30
NUMBERS = [-1, 0, 1, 2, 3, 7, -2, 64, 1 << 20, 1 << 31, (1 << 62) + 1,
           -(1 << 63)]
WORDS = ["", "nearest", "linear", "SAME_UPPER", "NOTSET", "x" * 1000, "\n"]
VALUES = [lambda rng: rng.choice(NUMBERS),
          lambda rng: rng.choice([0.0, -1.5, 1e30, float("nan")]),
          lambda rng: rng.choice(WORDS),
          lambda rng: [rng.choice(NUMBERS) for _ in range(rng.randrange(1, 5))],
          lambda rng: [rng.uniform(-2, 2) for _ in range(rng.randrange(1, 5))],
          lambda rng: [rng.choice(WORDS)] * rng.randrange(1, 4),
          lambda rng: helper.make_tensor("t", TensorProto.FLOAT, [2], [1, 2])]


def graphs(graph):
    """GRAPH and the graphs of its nodes' attributes, to any depth."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [*([attribute.g] if attribute.HasField("g") else []),
                          *attribute.graphs]:
                yield from graphs(inner)


def nodes(model):
    return [node for graph in graphs(model.graph) for node in graph.node]


def change_attribute(model, rng):
    node = rng.choice(nodes(model))
    if not node.attribute:
        return None
    old = rng.choice(node.attribute)
    name = old.name
    if rng.random() < 0.2:
        node.attribute.remove(old)
        return f"{node.op_type} loses {name}"
    if old.type == AttributeProto.INTS and old.ints and rng.random() < 0.5:
        old.ints[rng.randrange(len(old.ints))] = rng.choice(NUMBERS)
        return f"{node.op_type}: another number in {name}"
    new = helper.make_attribute(name, rng.choice(VALUES)(rng))
    old.CopyFrom(new)
    return f"{node.op_type}: {name} becomes {str(new.type)}"


def add_attribute(model, rng):
    node = rng.choice(nodes(model))
    name = rng.choice(["axis", "axes", "mode", "to", "kernel_shape", "pads",
                       "group", "strides", "value", "body", "perm"])
    if any(attribute.name == name for attribute in node.attribute):
        return None
    node.attribute.append(helper.make_attribute(name, rng.choice(VALUES)(rng)))
    return f"{node.op_type} gains {name}"


def change_inputs(model, rng):
    node = rng.choice(nodes(model))
    if not node.input:
        return None
    i = rng.randrange(len(node.input))
    kind = rng.choice(["swap", "drop", "repeat", "blank", "other"])
    if kind == "swap":
        j = rng.randrange(len(node.input))
        node.input[i], node.input[j] = node.input[j], node.input[i]
    elif kind == "drop":
        del node.input[i]
    elif kind == "repeat":
        node.input.append(node.input[i])
    elif kind == "blank":
        node.input[i] = ""
    else:
        node.input[i] = rng.choice([value.name for value in model.graph.input]
                                   or [""])
    return f"{node.op_type}: {kind} input {i}"


def change_value(model, rng):
    """The declared type of an input or output."""
    values = [*model.graph.input, *model.graph.output]
    tensor = rng.choice(values).type.tensor_type
    dims = tensor.shape.dim
    kind = rng.choice(["size", "name", "rank", "element"])
    if kind in ("size", "name") and dims:
        dim = rng.choice(dims)
        if kind == "size":
            dim.dim_value = rng.choice(NUMBERS)
        else:
            dim.dim_param = "n"
    elif kind == "element":
        tensor.elem_type = rng.randrange(0, 24)
    elif dims and rng.random() < 0.5:
        del dims[-1]
    else:
        dims.add().dim_value = rng.choice([1, 2, 3])
    return f"a value's {kind}"


def change_initializer(model, rng):
    tensors = [tensor for graph in graphs(model.graph)
               for tensor in graph.initializer]
    tensors += [attribute.t for node in nodes(model)
                for attribute in node.attribute if attribute.HasField("t")]
    if not tensors:
        return None
    tensor = rng.choice(tensors)
    if rng.random() < 0.3:
        tensor.data_type = rng.randrange(0, 24)
        return "a tensor's element type"
    if tensor.dims and rng.random() < 0.6:
        tensor.dims[rng.randrange(len(tensor.dims))] = rng.choice(NUMBERS)
        return "a tensor's size"
    tensor.dims.append(rng.choice([1, 2]))
    return "a tensor's rank"


def change_operator(model, rng):
    node = rng.choice(nodes(model))
    old = node.op_type
    node.op_type = rng.choice(["Add", "Conv", "Resize", "Upsample", "Reshape",
                               "Loop", "If", "Concat", "Gather", "Cast", "LSTM",
                               "MatMul", "Split", "TopK", "Pad", "NoSuch"])
    return f"{old} becomes {node.op_type}"


def change_opset(model, rng):
    if not model.opset_import:
        return None
    version = rng.choice([1, 5, 6, 8, 9, 10, 11, 13, 18, 0, -1, 1 << 40])
    rng.choice(model.opset_import).version = version
    return f"operator set {version}"


def change_subgraph(model, rng):
    inner = list(graphs(model.graph))[1:]
    if not inner:
        return None
    graph = rng.choice(inner)
    if graph.output and rng.random() < 0.6:
        i = rng.randrange(len(graph.output))
        if rng.random() < 0.5:
            del graph.output[i]
        else:
            graph.output.append(graph.output[i])
    elif graph.input:
        del graph.input[rng.randrange(len(graph.input))]
    return "a subgraph's signature"


MUTATIONS = [change_attribute, change_attribute, add_attribute, change_inputs,
             change_value, change_initializer, change_operator, change_opset,
             change_subgraph]


def mutate(content, rng):
    """The model with one to three changes, and what these are."""
    model = onnx.load_from_string(content)
    done = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        if not nodes(model):
            break
        try:
            what = rng.choice(MUTATIONS)(model, rng)
        except ValueError:  # a number that its field cannot hold
            what = None
        if what:
            done.append(what)
    return model.SerializeToString(), "; ".join(done) or "nothing"


def limit():
    """For the child: what it takes too much of, it does not get."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def attempt(command):
    """What is wrong with a run of nacre, or nothing."""
    try:
        process = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=SECONDS, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s"
    text = process.stdout.decode(errors="replace").strip()
    if not 0 <= process.returncode <= 3:
        last = (text.splitlines() or [""])[-1][:160]
        return f"exit status {process.returncode}: {last}"
    if process.returncode > 1 and not text:
        return f"exit status {process.returncode} without a message"
    return None


def try_mutation(originals, seed, keep, index):
    """What is wrong with a run of nacre on the mutation of that number, or
    nothing; the model is copied to the folder `keep` then."""
    rng = random.Random(seed * 1000003 + index)
    path = rng.choice(originals)
    content, what = mutate(path.read_bytes(), rng)
    with tempfile.TemporaryDirectory() as scratch:
        model = os.path.join(scratch, "mutated.onnx")
        pathlib.Path(model).write_bytes(content)
        nacre = cli.tool()
        command = rng.choice([
            [nacre, "info", model], [nacre, "run", model],
            [nacre, "run", model, "--backend=interpreter"],
            [nacre, "compile", model, "-O1", "--emit=obj", "-o",
             os.path.join(scratch, "mutated.o")]])
        problem = attempt(command)
    if not problem:
        return None
    if keep:
        kept = pathlib.Path(keep)
        kept.mkdir(parents=True, exist_ok=True)
        (kept / f"{index}.onnx").write_bytes(content)
    return (f"#{index}, {path.parent.name} ({what}): "
            f"nacre {' '.join([command[1], *command[3:]])}: {problem}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="start here")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1),
                        help="models at a time (default: %(default)s)")
    parser.add_argument("--keep", help="folder for the models that failed")
    args = parser.parse_args()

    originals = sorted(DATA.glob("*/*/model.onnx"))
    originals = [path for path in originals if path.stat().st_size < 1 << 20]
    if not originals:
        print(f"skipped: no models in {DATA}")
        print(suite.summary(0, 0, 1))
        return 0
    check = functools.partial(try_mutation, originals, args.seed, args.keep)
    numbers = range(args.first, args.first + args.count)
    failed = 0
    # Processes: what limits a child is not safe beside other threads.
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for problem in pool.map(check, numbers, chunksize=10):
            if problem:
                failed += 1
                print(f"FAIL: {problem}", flush=True)
    print(suite.summary(args.count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
