# ===- session.py - Inference as ONNX Runtime's users know it --------------=== #
"""`InferenceSession` runs a model; `compile` leaves an artifact.

Both call the nacre command in a process of its own, so that a crash of the
compiler is an exception here.
"""

import hashlib
import os
import pathlib
import tempfile
import threading

import numpy as np

from nacre import cli, interface, options as runtime_options
from nacre.cli import InvalidInput, NacreError
from nacre.compiled import CompiledModel
from nacre.interface import NodeArg

EMIT_BY_SUFFIX = {".so": "shared", ".a": "static", ".o": "obj", ".s": "asm",
                  ".ll": "llvm"}


class CompileError(cli.NacreError):
    """The compiler refused a model; `message` is what it said."""

    def __init__(self, model, error):
        RuntimeError.__init__(self, f"cannot compile '{model}': "
                                    f"{error.message}")
        self.code = error.code
        self.message = error.message


def compile(model, out, *, emit=None, threads=1, vpu_arch="host",
            precision="f32", backend="cpu", opt_level=3, winograd=True,
            shapes=None, states=None, timeout=None):
    """Compiles an ONNX model to the file OUT, and returns its path.

    MODEL is a path, the bytes of a model, or an onnx.ModelProto. `emit` is a
    form of `nacre compile --emit`; by default OUT's extension tells. `shapes`
    maps inputs whose dimensions are not numbers to their shapes; `states` maps
    inputs to the outputs that they become, which then are one buffer each. The
    other options are those of the command line. Raises CompileError.
    """
    out = pathlib.Path(out)
    if emit is None:
        emit = EMIT_BY_SUFFIX.get(out.suffix)
        if emit is None:
            raise InvalidInput(
                f"cannot tell from '{out.name}' what to emit; give emit=, or "
                f"a name that ends in one of {', '.join(EMIT_BY_SUFFIX)}")
    arguments = [f"--emit={emit}", f"--threads={threads}",
                 f"--vpu-arch={vpu_arch}", f"--precision={precision}",
                 f"--backend={backend}", f"-O{opt_level}"]
    if not winograd:
        arguments.append("--no-winograd")
    for name, shape in (shapes or {}).items():
        dims = "x".join(str(int(dim)) for dim in shape)
        arguments.append(f"--shape={name}={dims}")
    arguments += [f"--state={before}:{after}"
                  for before, after in (states or {}).items()]
    with _Source(model) as source:
        try:
            cli.nacre("compile", source.path, "-o", out, *arguments,
                      timeout=timeout)
        except cli.NacreError as error:
            raise CompileError(source.label, error) from None
    return out


class _Source:
    """A model as a file, written to a temporary one if it is none."""

    def __init__(self, model):
        self._folder = None
        if isinstance(model, (str, os.PathLike)):
            self.path = pathlib.Path(model)
            self.label = str(model)
            self.data = None
            if not self.path.is_file():
                raise FileNotFoundError(f"no such model file: '{model}'")
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
        return self.data if self.path is None else self.path.read_bytes()

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
    opt_level, winograd, shapes, states, timeout.

    `sess_options`, `providers` and `provider_options` are for calls written
    for ONNX Runtime; see nacre.options.

    A model is compiled when the session begins, dynamic inputs or not: what was
    compiled takes all sizes. With `specialize`, or where compiled code has to
    know sizes, a model with dynamic inputs is compiled for the shapes of each
    run that brings new ones, and kept for the next run of these shapes.
    Libraries lie in a temporary folder that goes with the session; in
    `cache_dir`, if given, they stay, for sessions to come.

    With `states`, such as {"past": "present"}, the session keeps those inputs
    from run to run: they are zeros at first, no array is given for them, and
    each run leaves in them what the model computes for those outputs, which it
    does not return. Nothing is copied between runs.

    Any number of threads may call one session at once; one that has states runs
    one call after the other.
    """

    def __init__(self, path_or_bytes, sess_options=None, providers=None,
                 provider_options=None, *, cache_dir=None, specialize=False,
                 **options):
        model = path_or_bytes
        runtime_options.check_providers(providers)
        options = runtime_options.take_session_options(sess_options, options)
        unknown = set(options) - {"threads", "vpu_arch", "precision",
                                  "backend", "opt_level", "winograd",
                                  "shapes", "states", "timeout"}
        if unknown:
            raise TypeError(f"unknown option '{min(unknown)}'")
        self._options = options
        self._variants = {}
        self._lock = threading.Lock()
        self._state_lock = threading.Lock()
        self._states = {}
        self._temporary = None
        if isinstance(model, (str, os.PathLike)) and \
                pathlib.Path(model).suffix == ".so":
            self._load_library(pathlib.Path(model), options)
            return
        self._model = _Source(model)
        data = self._model.bytes()
        described = interface.read(data)
        self._key = self._hash(data, described)
        self._inputs, self._outputs = described.inputs, described.outputs
        self._metadata = described.metadata
        self._expect_states(options.get("states") or {})
        fixed = dict(options.get("shapes") or {})
        for value in self._inputs:
            if value.name in fixed:
                value.shape = [int(dim) for dim in fixed[value.name]]
        if cache_dir is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="nacre-")
            cache_dir = self._temporary.name
        self._folder = pathlib.Path(cache_dir)
        self._folder.mkdir(parents=True, exist_ok=True)
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
            raise FileNotFoundError(f"no such library: '{path}'")
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
        results = self._call(input_feed)
        return [results[name] for name in names]

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
        library = self._folder / f"model_{digest}.so"
        if not library.exists():
            model = self._model.path or self._model.data
            compile(model, library, emit="shared", **options)
        return CompiledModel(library)

    def _hash(self, data, described):
        """What a compiled library depends on, besides input shapes."""
        compiler = pathlib.Path(cli.tool())
        facts = [self._options]
        files = [compiler] if compiler.exists() else []
        if self._model.path:
            files += [self._model.path.parent / name
                      for name in described.data_files]
        for file in files:
            if file.exists():
                stat = file.stat()
                facts.append((str(file.resolve()), stat.st_size,
                              stat.st_mtime_ns))
        return hashlib.sha256(data).hexdigest() + repr(facts)


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
