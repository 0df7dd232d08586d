# ===- session.py - Inference as ONNX Runtime's users know it --------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`InferenceSession` runs a model; `compile` leaves an artifact.

Both call the nacre command in a process of its own, so that a crash of the
compiler is an exception here.
"""

import hashlib
import mmap
import os
import pathlib
import re
import tempfile
import threading

import numpy as np

from nacre import cache, cli, interface, options as runtime_options, progress
from nacre.binding import IOBinding, OrtValue, copy_into, unwrap
from nacre.compiled import CompiledModel
from nacre.errors import (CompileError, InvalidInput, NacreError, NoSuchFile,
                          Timeout, compile_error)
from nacre.interface import NodeArg


def compile(model, out, *, emit=None, threads=1, vpu_arch="host",
            precision="f32", backend="cpu", opt_level=3, winograd=True,
            shapes=None, states=None, values=None, name=None, plugins=(),
            accuracy_level=0, timeout=None):
    """Compiles an ONNX model to the file OUT, and returns its path.

    MODEL is a path, the bytes of a model, or an onnx.ModelProto. `emit` is a
    form of `nacre compile --emit`; by default OUT's extension tells. `name` is
    the prefix of the C functions, by default OUT's name without it. `shapes`
    maps inputs whose dimensions are not numbers to their shapes; `states` maps
    inputs to the outputs that they become, which then are one buffer each;
    `values` maps inputs to what they always are: numbers, strings, arrays, or
    paths of .npy and .pb files. They are no inputs of what is compiled.
    `plugins` are paths of libraries with operators that MODEL uses. The other
    options are those of the command line. Raises CompileError, and
    Timeout if it takes longer than `timeout` seconds. What takes longer than a
    second says so on stderr, if that is a terminal.
    """
    out = pathlib.Path(out)
    arguments = [f"--threads={threads}", f"--vpu-arch={vpu_arch}",
                 f"--precision={precision}", f"--backend={backend}",
                 f"--accuracy-level={accuracy_level}", f"-O{opt_level}"]
    if emit is not None:
        arguments.append(f"--emit={emit}")
    if name is not None:
        arguments.append(f"--name={name}")
    if not winograd:
        arguments.append("--no-winograd")
    for name, shape in (shapes or {}).items():
        dims = "x".join(str(int(dim)) for dim in shape)
        arguments.append(f"--shape={name}={dims}")
    arguments += [f"--state={before}:{after}"
                  for before, after in (states or {}).items()]
    arguments += [f"--load-dialect-plugin={os.fspath(path)}"
                  for path in plugins]
    with _Source(model) as source, \
            tempfile.TemporaryDirectory(prefix="nacre-") as folder:
        arguments += [f"--value={name}={_value_text(value, folder, i)}"
                      for i, (name, value) in
                      enumerate((values or {}).items())]
        try:
            with progress.shown(f"compiling '{source.label}'"):
                cli.nacre("compile", source.path, "-o", out, *arguments,
                          timeout=timeout)
        except Timeout:
            raise Timeout(f"compiling '{source.label}' took longer than "
                          f"{timeout} s") from None
        except NacreError as error:
            raise compile_error(source.label, error) from None
    return out


def _is_library(path):
    """True for x.so, and for one with a version: libx.so.1.2."""
    return bool(re.search(r"\.so(\.[0-9]+)*$", str(path)))


def _value_text(value, folder, number):
    """What the command line calls VALUE; arrays become files in FOLDER."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (bool, int, float)):
        return str(value).lower()
    is_list = isinstance(value, (list, tuple)) and np.ndim(value) == 1
    if is_list:
        return ",".join(_value_text(item, folder, number) if
                        isinstance(item, (str, bool, int, float)) else str(item)
                        for item in value)
    path = pathlib.Path(folder) / f"value{number}.npy"
    np.save(path, np.asarray(value, order="C"))
    return path


def _value_facts(value):
    """What a library depends on of a VALUE, as text."""
    if isinstance(value, (str, os.PathLike)):
        path = pathlib.Path(value)
        data = path.read_bytes() if path.is_file() else os.fsencode(value)
        return hashlib.sha256(data).hexdigest()
    array = np.asarray(value)
    return repr((str(array.dtype), array.shape,
                 hashlib.sha256(array.tobytes()).hexdigest()))


class _Source:
    """A model as a file, written to a temporary one if it is none."""

    def __init__(self, model):
        self._folder = None
        if isinstance(model, (str, os.PathLike)):
            self.path = pathlib.Path(model)
            self.label = str(model)
            self.data = None
            if not self.path.is_file():
                raise NoSuchFile(f"no such model file: '{model}'")
            return
        if hasattr(model, "SerializeToString"):
            model = model.SerializeToString()
        if not isinstance(model, (bytes, bytearray, memoryview)):
            raise TypeError("expected a path, bytes or an onnx.ModelProto, "
                            f"found {type(model).__name__}")
        self.path = None
        self.label = "model"
        self.data = bytes(model)

    def bytes(self):
        """What the model is made of; of a file only what is looked at is
        read."""
        if self.path is None:
            return self.data
        with open(self.path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def __enter__(self):
        if self.path is None:
            self._folder = tempfile.TemporaryDirectory(prefix="nacre-")
            self.path = pathlib.Path(self._folder.name) / "model.onnx"
            self.path.write_bytes(self.data)
        return self

    def __exit__(self, *_):
        if self._folder:
            self._folder.cleanup()
            self._folder = self.path = None


class InferenceSession:
    """A model, ready to run.

    PATH_OR_BYTES is the path of an .onnx file or of a library that nacre
    compiled (.so), the bytes of an ONNX model, or an onnx.ModelProto. `options`
    are those of `nacre.compile`: threads, vpu_arch, precision, backend,
    opt_level, winograd, shapes, states, values, plugins, accuracy_level,
    timeout.

    `sess_options`, `providers` and `provider_options` are for calls written
    for ONNX Runtime; see nacre.options. `disabled_optimizers` has no effect.

    A model is compiled when the session begins, dynamic inputs or not: what was
    compiled takes all sizes. With `specialize`, or where compiled code has to
    know sizes, a model with dynamic inputs is compiled for the shapes of each
    run that brings new ones, and kept for the next run of these shapes.
    What was compiled stays in a cache of the user's for sessions to come, or in
    the folder `cache_dir`; with None or False it goes with the session.

    With `states`, such as {"past": "present"}, the session keeps those inputs
    from run to run: they are zeros at first, no array is given for them, and
    each run leaves in them what the model computes for those outputs, which it
    does not return. Nothing is copied between runs.

    Any number of threads may call one session at once; one that has states runs
    one call after the other.
    """

    def __init__(self, path_or_bytes, sess_options=None, providers=None,
                 provider_options=None, *, cache_dir=True, specialize=False,
                 disabled_optimizers=None, **options):
        model = path_or_bytes
        runtime_options.check_providers(providers)
        options = runtime_options.take_session_options(sess_options, options)
        unknown = set(options) - {"threads", "vpu_arch", "precision",
                                  "backend", "opt_level", "winograd",
                                  "shapes", "states", "values", "plugins",
                                  "accuracy_level", "timeout"}
        if unknown:
            raise TypeError(f"unknown option '{min(unknown)}'")
        self._session_options = sess_options or runtime_options.SessionOptions()
        self._fixed = []   # inputs that are of fewer shapes than in the model
        self._variants = {}
        self._lock = threading.Lock()
        self._state_lock = threading.Lock()
        self._states = {}
        if isinstance(model, (str, os.PathLike)) and \
                _is_library(model):
            self._load_library(pathlib.Path(model), options)
            return
        if sess_options is not None or providers:
            # Called as ONNX Runtime is, which takes all cores.
            options.setdefault("threads", runtime_options.physical_cores())
        options = runtime_options.take_accuracy_level(sess_options, options)
        self._options = options
        self._model = _Source(model)
        data = self._model.bytes()
        described = interface.read(data)
        self._inputs, self._outputs = described.inputs, described.outputs
        self._fix_dimensions()
        self._cache = cache.open_cache(cache_dir)
        self._key = self._hash(data, described)
        self._metadata = described.metadata
        self._inputs = [value for value in self._inputs
                        if value.name not in (options.get("values") or {})]
        self._expect_states(options.get("states") or {})
        fixed = dict(options.get("shapes") or {})
        for value in self._inputs:
            if value.name in fixed:
                value.shape = [int(dim) for dim in fixed[value.name]]
        self._dynamic = [value for value in self._inputs
                         if value.type.startswith("tensor(")
                         and not _is_static(value.shape)]
        self._hide_states(options.get("states") or {})
        if self._dynamic and not specialize and self._takes_all_sizes():
            self._dynamic = []
        if not self._dynamic:
            compiled = self._variant({})
            self._take_states(compiled)
            self._outputs = [_describe(value) for value in compiled.outputs]
            self._fix_outputs()

    def _fix_dimensions(self):
        """Gives inputs and outputs the sizes that the session options fix by
        the dimensions' names."""
        shapes = dict(self._options.get("shapes") or {})
        runtime_options.check_dimensions(
            [value.shape for value in self._inputs], self._session_options)
        for value in self._inputs:
            shape = runtime_options.fix_dimensions(value.shape,
                                                   self._session_options)
            if shape != value.shape:
                value.shape = shape
                self._fixed.append(value)
                if _is_static(shape):
                    shapes.setdefault(value.name, tuple(shape))
        self._fix_outputs()
        if shapes:
            self._options["shapes"] = shapes

    def _fix_outputs(self):
        for value in self._outputs:
            value.shape = runtime_options.fix_dimensions(
                value.shape, self._session_options)

    def _takes_all_sizes(self):
        """True if the model can be compiled without knowing all sizes."""
        if any(value.shape is None for value in self._dynamic):
            return False
        try:
            self._variant({})
        except NacreError as error:
            if error.code != cli.Exit.UNSUPPORTED:
                raise
            return False
        return True

    def _load_library(self, path, options):
        if options:
            raise InvalidInput(f"'{path}' is compiled already; options such "
                               f"as {min(options)} come too late")
        if not path.is_file():
            raise NoSuchFile(f"no such library: '{path}'")
        compiled = CompiledModel(path)
        self._metadata = None
        self._variants[()] = compiled
        self._take_states(compiled)
        self._inputs = [_describe(value) for value in compiled.inputs
                        if not value.state]
        self._outputs = [_describe(value) for value in compiled.outputs]
        self._dynamic = []

    def _expect_states(self, states):
        """Refuses states that are no inputs and outputs of the model."""
        for names, values, what in (
                (states.keys(), self._inputs, "input"),
                (states.values(), self._outputs, "output")):
            known = [value.name for value in values]
            for name in names:
                if name not in known:
                    raise InvalidInput(
                        f"the model has no {what} '{name}' that could be a "
                        "state; it has " + ", ".join(f"'{n}'" for n in known))

    def _hide_states(self, states):
        """Leaves the values that the session keeps out of its interface."""
        for value in self._dynamic:
            if value.name in states:
                raise InvalidInput(f"state '{value.name}' needs a known shape, "
                                   f"found {value.shape}; give shapes=")
        self._inputs = [value for value in self._inputs
                        if value.name not in states]
        self._outputs = [value for value in self._outputs
                         if value.name not in states.values()]

    def _take_states(self, compiled):
        """Makes room for the states of a compiled model, unless it is there."""
        for value in compiled.inputs:
            if value.state and value.name not in self._states:
                self._states[value.name] = np.zeros(value.shape, value.dtype)

    @property
    def states(self):
        """The states by their inputs' names: the very arrays that runs update.

        To begin with another state than zeros, write into them.
        """
        return dict(self._states)

    def reset_state(self):
        """Sets all states to zero, as they are before the first run."""
        with self._state_lock:
            for array in self._states.values():
                array.fill(0)

    def get_inputs(self):
        """The inputs, with `name`, `type` as 'tensor(float)', and `shape`."""
        return list(self._inputs)

    def get_outputs(self):
        """The outputs, in the same way."""
        return list(self._outputs)

    def get_modelmeta(self):
        """What the model says of itself, as nacre.interface.ModelMetadata."""
        if self._metadata is None:
            raise InvalidInput("a compiled library does not hold the metadata "
                               "of its model")
        return self._metadata

    def get_overridable_initializers(self):
        """None: what a model holds is compiled into it."""
        return []

    def get_session_options(self):
        """The options that the session was given, or those it would have been
        given."""
        return self._session_options

    def get_provider_options(self):
        """Of each provider, which have none."""
        return {name: {} for name in self.get_providers()}

    def get_providers(self):
        """Where the session computes, in ONNX Runtime's words."""
        return runtime_options.get_available_providers()

    def run(self, output_names, input_feed, run_options=None):
        """The outputs of these names, in this order, as arrays.

        `output_names` is None for all. `input_feed` maps each input's name to
        an array of its type and shape, which is not copied if it is contiguous.
        `run_options` are for calls written for ONNX Runtime; see nacre.options.
        """
        runtime_options.check_run_options(run_options)
        names = self._names(output_names)
        results = self._call(unwrap(input_feed))
        return [results[name] for name in names]

    def run_with_ort_values(self, output_names, input_dict_ort_values,
                            run_options=None):
        """As `run`, of OrtValues to OrtValues."""
        return [OrtValue(value) for value in self.run(
            output_names, input_dict_ort_values, run_options)]

    def io_binding(self):
        """A nacre.IOBinding, for `run_with_iobinding`."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding, run_options=None):
        """Runs on what is bound, and computes the outputs that are bound."""
        runtime_options.check_run_options(run_options)
        iobinding.run(self._call_into)

    def _call_into(self, feeds, places):
        """As `_call`, and what has a place in PLACES is written there even if
        its size is dynamic."""
        direct = {value.name: places[value.name]
                  for value in self._specialized(feeds).outputs
                  if value.name in places and not value.is_handle}
        results = self._call(feeds, direct)
        for name in places.keys() - direct.keys():
            copy_into(places[name], results[name], f"output '{name}'")
        return {**results, **places}

    def run_into(self, outputs, feeds):
        """Runs and writes the results into arrays of the caller.

        `outputs` maps names to writeable contiguous arrays of the outputs'
        types and shapes, which overlap nothing else. Nothing is copied.
        """
        self._names(outputs)
        self._call(feeds, outputs)

    def _call(self, feeds, outputs=None):
        compiled = self._specialized(feeds)
        if not any(value.state for value in compiled.inputs):
            return compiled.run(feeds, outputs)
        for name in feeds:
            if name in self._states:
                raise InvalidInput(f"'{name}' is a state, which the session "
                                   "keeps; to set it, write into states")
        with self._state_lock:
            self._take_states(compiled)
            return compiled.run({**feeds, **self._states}, outputs)

    def _names(self, names):
        known = [value.name for value in self._outputs]
        for name in names or ():
            if name not in known:
                raise InvalidInput(
                    f"the model has no output '{name}'; it has "
                    + ", ".join(f"'{n}'" for n in known))
        return names or known

    def _specialized(self, feeds):
        """The compiled model for the shapes of `feeds`."""
        for value in self._fixed:
            if value.name in feeds:
                _fitting(value, np.shape(feeds[value.name]))
        shapes = {}
        for value in self._dynamic:
            if value.name not in feeds:
                raise InvalidInput(f"no array for input '{value.name}'")
            shape = getattr(feeds[value.name], "shape", None)
            if shape is None:
                raise InvalidInput(f"input '{value.name}' needs an array")
            shapes[value.name] = _fitting(value, tuple(shape))
        return self._variant(shapes)

    def _variant(self, shapes):
        key = tuple(sorted(shapes.items()))
        # While one thread compiles, others wait: they may want the same.
        found = self._variants.get(key)
        if found:
            return found
        with self._lock:
            if key not in self._variants:
                self._variants[key] = self._compile(key)
            return self._variants[key]

    def _compile(self, key):
        options = dict(self._options)
        options["shapes"] = {**(options.get("shapes") or {}), **dict(key)}
        digest = hashlib.sha256(
            repr((self._key, key)).encode()).hexdigest()[:24]
        name = f"model_{digest}"
        model = self._model.path or self._model.data
        refused = self._cache.refusal(name)
        if refused:
            raise compile_error(self._model.label, NacreError(
                ["nacre", "compile"], refused["code"], refused["message"]))
        try:
            return self._cache.library(name, lambda library: compile(
                model, library, emit="shared", **options))
        except CompileError as error:
            if error.code == cli.Exit.UNSUPPORTED:
                self._cache.refuse(name, {"code": int(error.code),
                                          "message": error.message})
            raise

    def _hash(self, data, described):
        """What a compiled library depends on, besides input shapes."""
        options = {name: value for name, value in self._options.items()
                   if name not in ("timeout", "values")}
        values = self._options.get("values") or {}
        facts = [sorted(options.items()), cache.host(), cli.version(),
                 sorted((name, _value_facts(value))
                        for name, value in values.items())]
        compiler = pathlib.Path(cli.tool())
        if compiler.exists():
            stat = compiler.stat()
            facts.append((str(compiler.resolve()), stat.st_size,
                          stat.st_mtime_ns))
        files = [pathlib.Path(part) for part in
                 str(options.get("vpu_arch", "host")).split(",")]
        files += [pathlib.Path(path) for path in options.get("plugins") or ()]
        if self._model.path:
            facts.append(self._cache.digest(self._model.path, data))
            files += [self._model.path.parent / name
                      for name in described.data_files]
        else:
            facts.append(hashlib.sha256(data).hexdigest())
        facts += [self._cache.digest(file) for file in files if file.is_file()]
        return repr(facts)


def _is_static(shape):
    return shape is not None and all(isinstance(dim, int) for dim in shape)


def _fitting(value, shape):
    """SHAPE, if it is one of those that the model allows for `value`."""
    if value.shape is not None and (
            len(shape) != len(value.shape) or
            any(isinstance(wanted, int) and wanted != dim
                for wanted, dim in zip(value.shape, shape))):
        raise InvalidInput(f"input '{value.name}' expects the shape "
                           f"{value.shape}, found {shape}")
    return shape


def _describe(value):
    if value.shape is None:
        return NodeArg(value.name, _type_name(value.element), None)
    return NodeArg(value.name, interface.TYPE_NAMES[value.element],
                   list(value.shape))


def _type_name(element):
    """"seq(tensor(float))" for the metadata's "sequence(float32)"."""
    for kind, name in (("sequence", "seq"), ("optional", "optional")):
        if element.startswith(f"{kind}("):
            return f"{name}({_type_name(element[len(kind) + 1:-1])})"
    if element.startswith("map("):
        key, value = element[4:-1].split(",")
        return f"map({key},{interface.TYPE_NAMES[value]})"
    return interface.TYPE_NAMES[element]
