# ===- engine.py - Runs graphs on every backend and compares ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random graphs, many at a time, and compares with the interpreter.

Starting nacre costs as much as compiling a small graph: a batch of graphs is
one model, side by side. Only when a batch fails does each of its graphs run
by itself.
"""

import collections
import concurrent.futures
import json
import pathlib
import tempfile

import numpy as np
import onnx

from nacre import cli, fuzz
from nacre.fuzz.graph import ROUNDING, every_node, to_model

TIMEOUT_SECONDS = 120
# Architectures with so little fast memory that small graphs are tiled.
SMALL_CPU, SMALL_NPU = (pathlib.Path(__file__).with_name(f"small-{kind}.json")
                        for kind in ("cpu", "npu"))
ORACLE = ("--backend=interpreter",)
# IE as ie-optimize leaves it, where the oracle has it as it is imported.
OPTIMIZE = "optimize"
OPTIMIZED = ("--backend=interpreter", OPTIMIZE)
# What every batch runs on; the others take turns.
ALWAYS = (("--backend=cpu",), ("--backend=reference",))
# Its results are not compared: what feeds a jump is not exact here. That it
# compiles and runs is.
BFLOAT16 = ("--backend=cpu", "--precision=bf16")
IN_TURN = (("--backend=cpu", "--threads=2"),
           ("--backend=cpu", "--vpu-arch=x86-64-v3"),
           ("--backend=cpu", f"--vpu-arch={SMALL_CPU}"),
           ("--backend=cpu", "--vpu-arch=NPU37XX"),
           ("--backend=cpu", "--vpu-arch=x86-64-v3", "--threads=2"),
           ("--backend=cpu", f"--vpu-arch={SMALL_NPU}"),
           ("--backend=cpu", "--vpu-arch=NPU40XX", "--threads=2"),
           ("--backend=cpu", f"--vpu-arch={SMALL_CPU}", "--threads=2"),
           ("--backend=reference", "--vpu-arch=x86-64-v3"),
           BFLOAT16, OPTIMIZED)

# What a graph with symbolic dimensions runs on without being told their sizes.
DYNAMIC = "dynamic"
# All that may be refused then, in the words of the refusal: what compiled code
# has to know and does not. python/tests/dynamic_cases.py has a model of each.
REFUSALS = ("the number of its result's dimensions depends on data",)
# The same of bf16, in which not every machine computes.
BFLOAT16_REFUSALS = ("does not compute in bf16",)
# Words of configurations that are no options of nacre run.
MODES = (DYNAMIC, OPTIMIZE)
DYNAMIC_IN_TURN = (("--backend=cpu", DYNAMIC), ("--backend=reference", DYNAMIC),
                   ("--backend=cpu", "--threads=2", DYNAMIC))

# Kinds of failures. A refusal is one: graphs hold what nacre supports.
DIFFERS = "differs"
REFUSED = "refused"
CRASHED = "crashed"
HUNG = "hung"

Failure = collections.namedtuple("Failure", "kind message")


class Case:
    """A model with its inputs and [type, shape, error bound] of each value."""

    def __init__(self, model, inputs, values, symbolic=()):
        self.model = model
        self.inputs = inputs
        self.values = values
        self.symbolic = set(symbolic)

    @classmethod
    def of(cls, graphs):
        return cls(to_model(graphs),
                   {v.name: v.data for graph in graphs for v in graph.inputs},
                   {v.name: [v.dtype.name, list(v.shape),
                             0.0 if v.exact else v.err]
                    for graph in graphs for v in graph.values + graph.apart},
                   set().union(*(graph.symbolic for graph in graphs)))

    def write(self, folder):
        onnx.save(self.model, str(folder / "model.onnx"))
        for name, array in self.inputs.items():
            np.save(folder / f"{name}.npy", array)

    def save(self, folder, config, **facts):
        """Keeps the case, to be run again or reduced."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.write(folder)
        (folder / "case.json").write_text(json.dumps(
            dict(facts, config=list(config), values=self.values,
                 inputs=list(self.inputs), symbolic=sorted(self.symbolic),
                 command=["nacre", "run", "model.onnx", *config,
                          *self.arguments(pathlib.Path("."), config)]),
            indent=1))

    @classmethod
    def load(cls, folder):
        """A saved case and the configuration it fails on."""
        folder = pathlib.Path(folder)
        facts = json.loads((folder / "case.json").read_text())
        inputs = {name: np.load(folder / f"{name}.npy")
                  for name in facts["inputs"]}
        case = cls(onnx.load(str(folder / "model.onnx")), inputs,
                   facts["values"], facts["symbolic"])
        return case, tuple(facts["config"])

    def arguments(self, folder, config=()):
        result = [word for name in self.inputs
                  for word in ("--input", f"{name}={folder / name}.npy")]
        fixed = DYNAMIC in config or OPTIMIZE in config
        return result if fixed else result + self.shapes()

    def shapes(self):
        """What tells the sizes that have names."""
        return [word for name, array in self.inputs.items()
                if name in self.symbolic for word in
                ("--shape", f"{name}={'x'.join(map(str, array.shape))}")]


def execute(case, folder, config):
    """The outputs by name, or a Failure."""
    out = folder / "out"
    model = folder / "model.onnx"
    try:
        if OPTIMIZE in config:
            model = folder / "model.ie.mlir"
            cli.nacre("compile", folder / "model.onnx", "-o", model,
                      *case.shapes(), timeout=TIMEOUT_SECONDS)
        command = ["run", model,
                   *(word for word in config if word not in MODES),
                   *case.arguments(folder, config), f"--output-dir={out}"]
        cli.nacre(*command, timeout=TIMEOUT_SECONDS)
    except cli.Timeout:
        return Failure(HUNG, f"no end after {TIMEOUT_SECONDS} s")
    except cli.NacreError as error:
        refused = error.code in (cli.Exit.UNSUPPORTED, cli.Exit.BAD_INPUT)
        return Failure(REFUSED if refused else CRASHED, error.message)
    return {value.name: np.load(out / cli.output_file_name(value.name))
            for value in case.model.graph.output}


def run(case, config):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        case.write(folder)
        return execute(case, folder, config)


def difference(actual, expected, bound):
    """What is wrong with `actual`, in words; None if nothing."""
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return (f"expected {expected.dtype}{list(expected.shape)}, found "
                f"{actual.dtype}{list(actual.shape)}")
    if expected.dtype.kind != "f":
        wrong = actual != expected
    elif bound == 0:
        wrong = ~((actual == expected) |
                  (np.isnan(actual) & np.isnan(expected)))
    else:
        a, b = actual.astype(np.float64), expected.astype(np.float64)
        with np.errstate(invalid="ignore"):
            near = np.abs(a - b) <= bound + ROUNDING[expected.dtype] * abs(b)
        near &= np.isfinite(b)
        wrong = ~(near | (a == b) | (np.isnan(a) & np.isnan(b)))
    if not wrong.any():
        return None
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (f"{int(wrong.sum())} of {wrong.size} elements, at {where} "
            f"{actual[where]} instead of {expected[where]}, "
            f"error bound {bound:.3g}")


def judge(case, config, actual, expected):
    """A Failure, or None when `actual` is what was expected."""
    if isinstance(actual, Failure):
        refusals = (REFUSALS if DYNAMIC in config else
                    BFLOAT16_REFUSALS if config == BFLOAT16 else ())
        allowed = actual.kind == REFUSED and any(
            words in actual.message for words in refusals)
        return None if allowed else actual
    if config == BFLOAT16:
        return None
    for name, wanted in expected.items():
        text = difference(actual[name], wanted, case.values[name][2])
        if text:
            return Failure(DIFFERS, f"'{name}': {text}")
    return None


def check(case, config):
    """Runs one case on one configuration; None when it is right."""
    expected = run(case, ORACLE)
    if isinstance(expected, Failure):
        return expected
    return judge(case, config, run(case, config), expected)


def configurations(batch):
    return ALWAYS + tuple(IN_TURN[(2 * batch + i) % len(IN_TURN)]
                          for i in range(2))


class Campaign:
    """Many graphs of one seed, each batch on what `choose` makes of its number."""

    def __init__(self, seed, batch_size=5, jobs=2, keep=None, only=None,
                 report=print, choose=configurations):
        self.seed = seed
        self.batch_size = batch_size
        self.jobs = jobs
        self.keep = keep and pathlib.Path(keep)
        self.only = only
        self.report = report
        self.choose = choose
        self.graphs = 0
        self.operators = collections.Counter()
        self.failures = []

    def run(self, first, count):
        """Runs the graphs first … first + count - 1."""
        starts = range(first, first + count, self.batch_size)
        batches = [range(start, min(start + self.batch_size, first + count))
                   for start in starts]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            done = 0
            for graphs, found in pool.map(self.run_batch, batches):
                self.graphs += len(graphs)
                for graph in graphs:
                    self.operators.update(node.op_type for node
                                          in every_node(graph.nodes))
                for index, case, config, failure in found:
                    self.fail(index, case, config, failure)
                done += 1
                if done % max(len(batches) // 20, 1) == 0:
                    self.report(f"  {self.graphs} of {count} graphs, "
                                f"{len(self.failures)} failures")
        return self.failures

    def fail(self, index, case, config, failure):
        label = " ".join(config)
        self.report(f"FAIL: seed {self.seed}, graph {index}, {label}: "
                    f"{failure.kind}: {failure.message}")
        self.failures.append((index, config, failure))
        if self.keep:
            words = "-".join(pathlib.Path(word.split("=")[-1]).stem
                             for word in config)
            folder = self.keep / f"seed{self.seed}-graph{index}-{words}"
            case.save(folder, config, seed=self.seed, graph=index,
                      kind=failure.kind, message=failure.message)
            self.report(f"  saved as {folder}")

    def run_batch(self, indices):
        graphs = [fuzz.generate(self.seed, index, self.only)
                  for index in indices]
        case = Case.of(graphs)
        found = []
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            case.write(folder)
            expected = execute(case, folder, ORACLE)
            if isinstance(expected, Failure):
                return graphs, self.isolate(indices, graphs, case, ORACLE,
                                            expected)
            for config in self.choose(indices[0] // self.batch_size):
                actual = execute(case, folder, config)
                failure = judge(case, config, actual, expected)
                if failure:
                    found += self.isolate(indices, graphs, case, config,
                                          failure)
        for index, graph in zip(indices, graphs):
            # Alone: one that is refused would keep others from being run.
            if graph.symbolic:
                config = DYNAMIC_IN_TURN[index % len(DYNAMIC_IN_TURN)]
                case = Case.of([graph])
                failure = check(case, config)
                if failure:
                    found.append((index, case, config, failure))
        return graphs, found

    def isolate(self, indices, graphs, whole, config, failure):
        """The graphs of a batch that fail by themselves."""
        found = []
        for index, graph in zip(indices, graphs):
            case = Case.of([graph])
            alone = check(case, config)
            if alone:
                found.append((index, case, config, alone))
        # It takes company to fail.
        return found or [(indices[0], whole, config, failure)]
