# ===- options.py - What ONNX Runtime's users set --------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options that calls written for ONNX Runtime pass to a session.

What only tunes ONNX Runtime, such as its arenas or its graph optimisations, is
taken and has no effect. What asks for something that nacre does not do is
refused.
"""

import enum
import os
import pathlib
import warnings

from nacre.cli import version
from nacre.errors import InvalidInput

CPU = "CPUExecutionProvider"


# From which ONNX Runtime's severity on something is said: 0 is everything, 2
# warnings, 3 errors, 4 what ends the process.
_WARNING = 2
_severity = _WARNING


def set_default_logger_severity(severity):
    """Above 2, nacre's warnings and the progress of compilations are not
    shown."""
    global _severity
    if severity not in range(5):
        raise InvalidInput(f"expected a severity from 0 to 4, found {severity}")
    _severity = severity


def is_quiet():
    """True if even warnings are not to be shown."""
    return _severity > _WARNING


class GraphOptimizationLevel(enum.IntEnum):
    """Has no effect: what is compiled gives the same results at any level."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(enum.IntEnum):
    """Has no effect: operators run one after the other, each on all cores."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class _Options:
    """Attributes with defaults; one that is misspelt is an error."""

    _DEFAULTS = {}

    def __init__(self):
        self.__dict__.update(self._DEFAULTS)

    def __setattr__(self, name, value):
        if name not in self._DEFAULTS:
            raise AttributeError(f"{type(self).__name__} has no option "
                                 f"'{name}'")
        self.__dict__[name] = value


class SessionOptions(_Options):
    """`intra_op_num_threads` is how many cores a run may use; 0 leaves that to
    the option `threads`. The others have no effect, or are refused."""

    _DEFAULTS = {
        "intra_op_num_threads": 0, "inter_op_num_threads": 0,
        "execution_mode": ExecutionMode.ORT_SEQUENTIAL,
        "graph_optimization_level": GraphOptimizationLevel.ORT_ENABLE_ALL,
        "enable_cpu_mem_arena": True, "enable_mem_pattern": True,
        "enable_mem_reuse": True, "use_deterministic_compute": False,
        "log_severity_level": -1, "log_verbosity_level": 0, "logid": "",
        "enable_profiling": False, "profile_file_prefix": "",
        "optimized_model_filepath": ""}

    def __init__(self):
        super().__init__()
        self.__dict__["free_dimensions"] = {}
        self.__dict__["config_entries"] = {}
        self.__dict__["plugins"] = []

    def add_free_dimension_override_by_name(self, dim_name, dim_value):
        """Fixes the dimension that has this name in the model."""
        if int(dim_value) != dim_value or dim_value < 0:
            raise InvalidInput(f"dimension '{dim_name}' expects a size, found "
                               f"{dim_value}")
        self.free_dimensions[dim_name] = int(dim_value)

    def register_custom_ops_library(self, path):
        """Adds operators: a plugin of nacre's, not a library of ONNX
        Runtime's."""
        self.plugins.append(os.fspath(path))

    def add_session_config_entry(self, key, value):
        """Has no effect, as most entries tune ONNX Runtime, but for
        "session.qdq_matmulnbits_accuracy_level": the `accuracy_level` of
        nacre.compile, which is 4 in ONNX Runtime and 0 here by default. With
        the backend `reference`, which rounds no products, a session warns and
        does not use it."""
        self.config_entries[key] = str(value)

    def get_session_config_entry(self, key):
        if key not in self.config_entries:
            raise RuntimeError(f"no entry '{key}' was added")
        return self.config_entries[key]


class RunOptions(_Options):
    """None of these has an effect, or they are refused."""

    _DEFAULTS = {"log_severity_level": -1, "log_verbosity_level": 0,
                 "logid": "", "terminate": False, "training_mode": False,
                 "only_execute_path_to_fetches": False}

    def add_run_config_entry(self, key, value):
        """Has no effect: the entries tune ONNX Runtime."""


# How exact products of weights are that DequantizeLinear makes of few bits.
_ACCURACY_LEVEL = "session.qdq_matmulnbits_accuracy_level"
# Levels from this one on let products round what they read, which the backend
# `reference` does not do.
_LEAST_ROUNDING_LEVEL = 2

# What a session or a run would have to do and does not, and what does it.
_REFUSED = {
    "enable_profiling": "measure a model with `nacre bench --profile`",
    "optimized_model_filepath": "write what a model becomes with "
                                "`nacre compile --emit=ie`",
    "terminate": "a run cannot be ended by another thread",
    "training_mode": "sessions are for inference"}


def _refuse(options):
    for name, reason in _REFUSED.items():
        if getattr(options, name, None):
            raise InvalidInput(f"option '{name}' is not supported: {reason}")


def take_session_options(session_options, options):
    """The OPTIONS of a session together with what SESSION_OPTIONS say, which
    may be ONNX Runtime's own."""
    if session_options is None:
        return options
    if not hasattr(session_options, "intra_op_num_threads"):
        raise TypeError("expected SessionOptions, found "
                        f"{type(session_options).__name__}")
    _refuse(session_options)
    plugins = getattr(session_options, "plugins", [])
    if plugins:
        options = {**options,
                   "plugins": [*(options.get("plugins") or ()), *plugins]}
    threads = session_options.intra_op_num_threads
    if not threads:
        return options
    if options.get("threads", threads) != threads:
        raise InvalidInput(f"found {options['threads']} threads, and "
                           f"{threads} in the session options")
    return {**options, "threads": threads}


def take_accuracy_level(session_options, options):
    """The OPTIONS of a compilation together with how exact SESSION_OPTIONS say
    that products are, which counts where OPTIONS do not say it."""
    try:
        level = session_options.get_session_config_entry(_ACCURACY_LEVEL)
    except (AttributeError, RuntimeError):
        return options   # there is no such entry
    if level not in map(str, range(5)):
        raise InvalidInput(f"the entry '{_ACCURACY_LEVEL}' expects a level from "
                           f"0 to 4, found '{level}'")
    if options.get("accuracy_level") is not None:
        return options
    if options.get("backend") == "reference" and \
            int(level) >= _LEAST_ROUNDING_LEVEL:
        # The entry allows products to be rounded; it does not ask for that.
        if not is_quiet():
            warnings.warn("the backend 'reference' rounds no products, and "
                          f"does not use the entry '{_ACCURACY_LEVEL}'",
                          stacklevel=3)
        return options
    return {"accuracy_level": int(level), **options}


def physical_cores():
    """How many cores this process may use, counting those once that run
    several threads."""
    cores = set()
    processors = os.sched_getaffinity(0)
    for number in processors:
        folder = pathlib.Path(f"/sys/devices/system/cpu/cpu{number}/topology")
        try:
            cores.add(tuple((folder / name).read_text() for name in
                            ("physical_package_id", "core_id")))
        except OSError:
            return len(processors)
    return len(cores)


def check_dimensions(shapes, session_options):
    """Warns of dimensions that SESSION_OPTIONS fix and none of SHAPES has."""
    known = {dim for shape in shapes for dim in shape or ()}
    for name in getattr(session_options, "free_dimensions", {}):
        if name not in known and not is_quiet():
            warnings.warn(f"no input of the model has a dimension '{name}'",
                          stacklevel=4)


def fix_dimensions(shape, session_options):
    """SHAPE with the sizes of those dimensions that SESSION_OPTIONS fix."""
    sizes = getattr(session_options, "free_dimensions", {})
    return shape and [sizes.get(dim, dim) for dim in shape]


def check_run_options(run_options):
    """Refuses what a run does not do."""
    if run_options is not None:
        _refuse(run_options)


def check_providers(providers):
    """Refuses a list of execution providers without the CPU, which is where
    nacre computes. Of others in the list it warns."""
    if not providers:
        return
    if isinstance(providers, str):
        raise TypeError("expected a list of providers, found a string")
    names = [entry if isinstance(entry, str) else entry[0]
             for entry in providers]
    if CPU not in names:
        raise InvalidInput(f"expected '{CPU}' among the providers, where "
                           "nacre computes, found "
                           + ", ".join(f"'{name}'" for name in names))
    others = [name for name in names if name != CPU]
    if others and not is_quiet():
        warnings.warn("nacre computes on the CPU and does not use "
                      + ", ".join(f"'{name}'" for name in others),
                      stacklevel=3)


def get_available_providers():
    """The execution providers that a session can use: the CPU."""
    return [CPU]


def get_device():
    """Where a session computes."""
    return "CPU"


def get_version_string():
    """nacre's version, where ONNX Runtime gives its own."""
    return version()
