# ===- engine.py - Compiles graphs of dynamic sizes and runs them -----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a graph once for each configuration and runs the library at all sizes,
one after the other in one process, which is not this one: a crash is a result."""

import collections
import ctypes
import faulthandler
import itertools
import json
import os
import pathlib
import re
import selectors
import shutil
import signal
import sys
import tempfile
import traceback

import numpy as np
import onnx

from nacre import cli
from nacre.compiled import CompiledModel
from nacre.errors import NacreError
from nacre.fuzz import sizes
from nacre.fuzz.engine import (CRASHED, DIFFERS, HUNG, REFUSED, SMALL_CPU,
                               difference)
from nacre.fuzz.graph import every_node
from nacre.fuzz.sizes.graph import STRING, to_model
from nacre.fuzz.sizes.memory import Memory

TIMEOUT_SECONDS = 120
# What every graph is compiled for; the others take turns.
ALWAYS = (("--threads=1",),)
IN_TURN = (("--threads=2",), ("--threads=2", "--vpu-arch=x86-64-v3"),
           ("--threads=3",), (f"--vpu-arch={SMALL_CPU}", "--threads=2"),
           ("--threads=5",), ("--backend=reference",))
# A run has as many on machines of fewer cores, too.
MOST_THREADS = 5

Failure = collections.namedtuple("Failure", "kind message config")
Run = collections.namedtuple("Run", "inputs outputs errors")


class Case:
    """A model, and what it is given and gives in each run."""

    def __init__(self, model, runs):
        self.model = model
        self.runs = runs

    @classmethod
    def of(cls, graph):
        return cls(to_model(graph), [Run(
            {value.name: value.stored(run) for value in graph.inputs},
            {value.name: value.stored(run) for value in graph.outputs},
            {value.name: value.errors[run] for value in graph.outputs})
            for run in range(graph.runs)])

    def save(self, folder, failure, **facts):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(self.model, str(folder / "model.onnx"))
        for i, run in enumerate(self.runs):
            np.savez(folder / f"inputs{i}.npz", **run.inputs)
            np.savez(folder / f"outputs{i}.npz", **run.outputs)
        (folder / "case.json").write_text(json.dumps(
            {**facts, **failure._asdict(),
             "errors": [run.errors for run in self.runs]}, indent=1))

    @classmethod
    def load(cls, folder):
        """A saved case and the configuration that it fails with."""
        folder = pathlib.Path(folder)
        facts = json.loads((folder / "case.json").read_text())
        runs = [Run(*(dict(np.load(folder / f"{side}{i}.npz",
                                   allow_pickle=True))
                      for side in ("inputs", "outputs")), errors)
                for i, errors in enumerate(facts["errors"])]
        return cls(onnx.load(str(folder / "model.onnx")), runs), \
            tuple(facts["config"])


def run_library(library, case, config):
    """A Failure, or None where all runs give what they should."""
    model = CompiledModel(library)
    memory = Memory()
    loaded = ctypes.CDLL(str(library))
    if hasattr(loaded, "nacre_set_allocator"):
        memory.serve(loaded)
    # Results are looked at again when another run is over.
    before = None
    for number, run in enumerate(case.runs):
        # The runtime makes strings of its own of those it is given.
        feeds = {name: array if array.dtype == STRING else memory.place(array)
                 for name, array in run.inputs.items()}
        places = {value.name: memory.blank(value.shape, value.dtype, 64)
                  for value in model.outputs if not value.is_handle}
        memory.begin_run()
        try:
            results = model.run(feeds, places)
        except NacreError as error:
            return Failure(REFUSED, f"run {number}: {error}", config)
        text = compare(run, feeds, results) or (
            before and compare(*before, again=True))
        if not text and not memory.check():
            text = memory.damaged[0]
        if text:
            return Failure(DIFFERS, f"run {number}: {text}", config)
        before = run, feeds, results
    return None


def compare(run, feeds, results, again=False):
    """What is wrong after a run, in words."""
    when = " after the next run" if again else ""
    for name, array in run.inputs.items():
        if not np.array_equal(feeds[name], array):
            return f"input '{name}' was written{when}"
    for name, wanted in run.outputs.items():
        text = difference(results[name], wanted, run.errors[name])
        if text:
            return f"'{name}'{when}: {text}"
    return None


def essence(message):
    """A stack as the names of nacre's own functions in it."""
    if "Stack dump" not in message:
        return message
    names = re.findall(r"^ *#\d+ 0x\w+ (.*?)\(.*", message, re.MULTILINE)
    own = [name for name in names if "nacre" in name or "Pass" in name]
    return "the compiler crashed in " + " < ".join(own[:3])


def build(folder, library, config):
    """Compiles the model in FOLDER. Threads share its steps however small they are,
    as the sizes of a graph are too small for them otherwise."""
    def compile_with(*options):
        cli.nacre("compile", folder / "model.onnx", "-o", library, *config,
                  *options, timeout=TIMEOUT_SECONDS)

    strategies = folder / "strategies.json"
    if not any(re.fullmatch("--threads=[2-9]", option) for option in config):
        compile_with()
        return
    compile_with(f"--dump-strategies={strategies}")
    chosen = strategies.read_text()
    shared = re.sub(r"\bgrain = \d+", "grain = 1", chosen)
    if shared != chosen:
        strategies.write_text(shared)
        compile_with(f"--strategies={strategies}")


def attempt(case, config, folder, tell):
    """Compiles and runs one case in this process."""
    library = folder / "model.so"
    tell("compile", config)
    try:
        build(folder, library, config)
    except cli.Timeout as error:
        return Failure(HUNG, str(error), config)
    except NacreError as error:
        refused = error.code in (cli.Exit.UNSUPPORTED, cli.Exit.BAD_INPUT)
        return Failure(REFUSED if refused else CRASHED,
                       essence(error.message), config)
    tell("run", config)
    failure = run_library(library, case, config)
    library.rename(folder / "done.so")
    return failure


class Child:
    """A process that checks a case which MAKE makes."""

    def __init__(self, make, configs):
        reader, writer = os.pipe()
        # A signal may end the child: it cannot remove what it leaves.
        self._folder = pathlib.Path(tempfile.mkdtemp())
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reader)
            try:
                # What ends this process is for its parent to tell.
                faulthandler.disable()
                signal.alarm(3 * TIMEOUT_SECONDS)
                os.environ["NACRE_THREADS"] = str(MOST_THREADS)
                self._check(make, configs, self._folder, writer)
            finally:
                os._exit(0)
        os.close(writer)
        self.pipe = reader
        self._said = b""

    @staticmethod
    def _check(make, configs, folder, writer):
        def tell(*words):
            os.write(writer, json.dumps(words).encode() + b"\n")

        config = ()
        try:
            case = make()
            tell("drawn", config, [node.op_type for node in
                                   every_node(case.model.graph.node)])
            onnx.save(case.model, str(folder / "model.onnx"))
            for config in configs:
                failure = attempt(case, config, folder, tell)
                if failure:
                    tell("failed", *failure)
                    return
            tell("passed")
        except BaseException:
            tell("failed", CRASHED, traceback.format_exc(), config)

    def read(self):
        """True when it is over."""
        part = os.read(self.pipe, 1 << 16)
        self._said += part
        return not part

    def result(self):
        """The operators that were drawn, and a Failure or None."""
        os.close(self.pipe)
        _, status = os.waitpid(self.pid, 0)
        # The compiler may outlive the child and write there still.
        shutil.rmtree(self._folder, ignore_errors=True)
        lines = [json.loads(line) for line in self._said.splitlines()]
        operators = next((line[2] for line in lines if line[0] == "drawn"), [])
        last = lines[-1] if lines else ["start", ()]
        if last[0] == "passed":
            return operators, None
        if last[0] == "failed":
            kind, message, config = last[1:]
            return operators, Failure(kind, message, tuple(config))
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        return operators, Failure(
            HUNG if number == signal.SIGALRM else CRASHED,
            f"signal {number} in {last[0]}", tuple(last[1]))


def check(case, configs):
    """A Failure of one case, or None."""
    child = Child(lambda: case, configs)
    while not child.read():
        pass
    return child.result()[1]


def configurations(index):
    return ALWAYS + (IN_TURN[index % len(IN_TURN)],)


class Campaign:
    """Many graphs of one seed."""

    def __init__(self, seed, jobs=2, keep=None, only=None, report=print):
        self.seed, self.jobs, self.only = seed, jobs, only
        self.keep = keep and pathlib.Path(keep)
        self.report = report
        self.graphs = 0
        self.operators = collections.Counter()
        self.failures = []

    def run(self, first, count):
        """Runs the graphs first … first + count - 1."""
        waiting = iter(range(first, first + count))
        with selectors.DefaultSelector() as selector:
            for index in itertools.islice(waiting, self.jobs):
                self._start(selector, index)
            while selector.get_map():
                for key, _ in selector.select():
                    index, child = key.data
                    if child.read():
                        selector.unregister(key.fileobj)
                        self._finish(index, *child.result())
                        following = next(waiting, None)
                        if following is not None:
                            self._start(selector, following)
                        if self.graphs % max(count // 20, 1) == 0:
                            self.report(f"  {self.graphs} of {count} graphs, "
                                        f"{len(self.failures)} failures")
        return self.failures

    def make(self, index):
        return Case.of(sizes.generate(self.seed, index, self.only))

    def _start(self, selector, index):
        child = Child(lambda: self.make(index), configurations(index))
        selector.register(child.pipe, selectors.EVENT_READ, (index, child))

    def _finish(self, index, operators, failure):
        self.graphs += 1
        self.operators.update(operators)
        if not failure:
            return
        self.failures.append((index, failure))
        self.report(f"FAIL: seed {self.seed}, graph {index}, "
                    f"{' '.join(failure.config)}: {failure.kind}: "
                    f"{failure.message}")
        # What failed to draw the graph would fail here, too.
        if self.keep and operators:
            folder = self.keep / f"sizes-seed{self.seed}-graph{index}"
            self.make(index).save(folder, failure, seed=self.seed, graph=index)
            self.report(f"  saved as {folder}")
