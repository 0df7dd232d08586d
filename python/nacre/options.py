# ===- options.py - What ONNX Runtime's users set --------------------------=== #
"""The options that calls written for ONNX Runtime pass to a session.

What only tunes ONNX Runtime, such as its arenas or its graph optimisations, is
taken and has no effect. What asks for something that nacre does not do is
refused.
"""

import enum
import warnings

from nacre.cli import InvalidInput

CPU = "CPUExecutionProvider"


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

    def add_session_config_entry(self, key, value):
        """Has no effect: the entries tune ONNX Runtime."""


class RunOptions(_Options):
    """None of these has an effect, or they are refused."""

    _DEFAULTS = {"log_severity_level": -1, "log_verbosity_level": 0,
                 "logid": "", "terminate": False, "training_mode": False,
                 "only_execute_path_to_fetches": False}

    def add_run_config_entry(self, key, value):
        """Has no effect: the entries tune ONNX Runtime."""


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
    threads = session_options.intra_op_num_threads
    if not threads:
        return options
    if options.get("threads", threads) != threads:
        raise InvalidInput(f"found {options['threads']} threads, and "
                           f"{threads} in the session options")
    return {**options, "threads": threads}


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
    if others:
        warnings.warn("nacre computes on the CPU and does not use "
                      + ", ".join(f"'{name}'" for name in others),
                      stacklevel=3)


def get_available_providers():
    """The execution providers that a session can use: the CPU."""
    return [CPU]


def get_device():
    """Where a session computes."""
    return "CPU"
