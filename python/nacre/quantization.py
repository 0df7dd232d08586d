# ===- quantization.py - From f32 to int8 -----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantizes models by data, as `nacre calibrate`, `quantize` and `tune` do.

`quantize_static` and `quantize_dynamic` are for calls written for
onnxruntime.quantization, whose QuantType, QuantFormat, CalibrationMethod and
CalibrationDataReader are here, too.
"""

import enum
import os
import pathlib
import tempfile

import numpy as np

from nacre import cli, options as runtime_options, progress, samples as sampling
from nacre.errors import InvalidInput, NacreError, Timeout, compile_error
from nacre.session import _Source

# Those without a limit of their own: the command line's default is 128.
_ALL = 1 << 20


def _call(command, model, arguments, timeout):
    """Runs a command on MODEL."""
    with _Source(model) as source:
        try:
            with progress.shown(f"{command} of '{source.label}'"):
                return cli.nacre(command, source.path, *arguments,
                                 timeout=timeout)
        except Timeout:
            raise Timeout(f"{command} of '{source.label}' took longer than "
                          f"{timeout} s") from None
        except NacreError as error:
            if error.code == cli.Exit.DIFFERS:
                raise
            raise compile_error(source.label, error) from None


def _run_options(options):
    """What the commands have in common, as arguments."""
    known = {"threads", "vpu_arch", "backend", "shapes", "bins", "memory",
             "schema", "activations", "weights", "bias", "block", "calibrator",
             "per_tensor", "bias_correction", "keep", "keep_nodes", "only",
             "keep_first", "keep_last", "samples", "equalize", "smooth",
             "rounding", "hessians", "allow_random", "quantize_outputs", "io",
             "quantize_embeddings", "reduce_range", "calibrate_weights",
             "ops", "keep_between", "keep_activations",
             "int4_form"}
    unknown = set(options) - known
    if unknown:
        raise TypeError(f"unknown option '{min(unknown)}'")
    arguments = []
    for name in ("threads", "vpu_arch", "backend", "bins", "memory", "schema",
                 "activations", "weights", "bias", "block", "calibrator",
                 "samples", "equalize", "smooth", "rounding", "io",
                 "int4_form"):
        if options.get(name) is not None:
            arguments.append(f"--{name.replace('_', '-')}={options[name]}")
    for name, shape in (options.get("shapes") or {}).items():
        dims = "x".join(str(int(dim)) for dim in shape)
        arguments.append(f"--shape={name}={dims}")
    for name in ("per_tensor", "hessians", "keep_first", "keep_last",
                 "allow_random", "quantize_outputs", "quantize_embeddings",
                 "reduce_range", "calibrate_weights", "keep_activations"):
        if options.get(name):
            arguments.append(f"--{name.replace('_', '-')}")
    if "bias_correction" in options:
        arguments.append(f"--bias-correction={_correction(options)}")
    for name, option in (("keep", "keep"), ("keep_nodes", "keep-node"),
                         ("only", "only"), ("ops", "ops"),
                         ("keep_between", "keep-between")):
        values = options.get(name) or ()
        if isinstance(values, str):
            values = [values]
        arguments += [f"--{option}={value}" for value in values]
    return arguments


def _correction(options):
    """The command line's name of `bias_correction`."""
    chosen = options.get("bias_correction")
    return {True: "fast", False: "off", None: "fast"}.get(chosen, chosen)


def _data_arguments(folders, options):
    # Of random samples there are as many as the command line makes.
    limited = "samples" in options or options.get("allow_random")
    limit = [] if limited else [f"--samples={_ALL}"]
    return [f"--data={folder}" for folder in folders] + limit


def calibrate(model, data, out, *, timeout=None, **options):
    """Measures the ranges of a model's values on DATA and writes them to OUT, a
    range profile. Returns its path.

    MODEL is a path, the bytes of a model, or an onnx.ModelProto. DATA is a
    folder of ONNX test data folders, a list of such, an iterable of feeds (dicts
    from names of inputs to arrays), or an object with get_next(). Options:
    threads, vpu_arch, backend, shapes, bins, memory, and how many of the feeds or
    folders count, `samples`: all by default; `hessians` sums what "hessian" rounding
    needs, in a file OUT.sums beside. With `allow_random`, DATA may be "random" or
    "random:SEED", of which there are 128 samples by default. Which `calibrator` is good is tried as
    `quantize` does it by default, for its `schema`, `activations`, `weights` and
    `per_tensor`; with "mse" it is not. So is `rounding`; with "nearest" it is not, and
    with "hessian" what that needs is summed of all samples, as `quantize` does it.
    Raises CompileError, and Timeout after `timeout` seconds.
    """
    out = pathlib.Path(out)
    with sampling.folders(data) as folders:
        _call("calibrate", model,
              [*_data_arguments(folders, options), "-o", out,
               *_run_options(options)], timeout)
    return out


def quantize(model, out, data=None, *, ranges=None, report=None,
             external_data=False, assert_quantized=False, timeout=None,
             **options):
    """Writes the ONNX model OUT, which computes on 8-bit integers what MODEL
    does on floats, and returns its path.

    DATA are samples as for calibrate, by which ranges are measured; or `ranges`
    is the path of a range profile. `report` is the path of a report, .html, .txt
    or .json, which compares the models on DATA. With `assert_quantized`, products
    that stay f32 are a CompileError that lists them. Options are those of calibrate
    and: schema, activations, weights, bias, calibrator, per_tensor,
    and what stays f32: `keep`, kinds of operators, `keep_nodes`, patterns of
    nodes' names, `keep_first` and `keep_last`, products that no other one is
    before or after; `only` are the kinds that do not, and so are `ops`, where
    "MatMulActivations" are products of two activations and "default" what becomes
    integers without it; `keep_between` are texts "FIRST:LAST", names of values
    between which all stays f32. `calibrator` is "mse",
    "minmax", "percentile", "percentile:P", "entropy", or one that is tried on
    DATA, or was so on those of `ranges`: "auto", which is the default, is "mse"
    unless another one is clearly better for the outputs of eight samples or more,
    and "measured" is the best of all. `bias_correction` is "fast" or
    True, which is the default, "off" or False, or "exact", for which DATA are
    needed beside `ranges`, too, unless these have it already. `equalize` and
    `smooth` are "auto" or "off", which is the default: whether channels of values
    are multiplied so that 8 bits lose less. `rounding` is "nearest", "hessian",
    which rounds weights for the inputs of samples, those of profiles with
    `hessians`, or "auto", the default, which does so where that is better for the
    outputs of eight samples or more. With activations="none", `weights` of matrices alone are "int8" or
    "int4", with a scale for each `block` of elements, for which nothing has to be
    measured unless they are rounded for inputs, and with int4_form="nbits" as
    MatMulNBits; and with "dynamic" each run finds
    the ranges. `quantize_outputs` rounds outputs, too; with io="quantized" inputs
    and outputs are integers. With `quantize_embeddings`, tables of which a Gather
    picks rows are int8, a row with a scale each. `reduce_range` has weights of 7
    bits, which ONNX Runtime needs on x86 without VNNI and nacre nowhere;
    `calibrate_weights` scales them for the least squared error.
    `keep_activations` keeps Clips whose bounds the integers have anyway.
    """
    needs_none = (ranges is not None
                  or options.get("activations") == "dynamic"
                  or (options.get("activations") == "none"
                      and options.get("rounding") != "hessian"))
    if data is None and not needs_none:
        raise InvalidInput("expected data or ranges to quantize by")
    corrects = ranges is not None and _correction(options) == "exact"
    if data is not None and needs_none and report is None and not corrects:
        raise InvalidInput("expected no data, which are for a report alone, "
                           "where nothing has to be measured")
    out = pathlib.Path(out)
    arguments = ["-o", out, *_run_options(options)]
    if ranges is not None:
        arguments.append(f"--ranges={os.fspath(ranges)}")
    if report is not None:
        arguments.append(f"--report={os.fspath(report)}")
    if external_data:
        arguments.append("--external-data")
    if assert_quantized:
        arguments.append("--assert-quantized")
    if data is None:
        _call("quantize", model, arguments, timeout)
        return out
    with sampling.folders(data) as folders:
        _call("quantize", model,
              [*arguments, *_data_arguments(folders, options)], timeout)
    return out


def tune(model, out, data, target, *, labels=None, metric=None, output=None,
         minimize=None, search=None, budget=None, precisions=None, repairs=None,
         ranges=None, report=None, timeout=None, **options):
    """Finds which nodes of a model need f32 for the target to be reached on 8-bit
    integers otherwise. Writes a range profile to OUT, which `quantize` and
    `--ranges` take, and returns its path.

    `target` is a text such as "top1-drop<=0.005", for which `labels` are needed,
    an array or the path of a file, in the order of the samples, also those of a
    batch;
    "agreement>=0.99", "sqnr>=30", "cosine>=0.999"; or "metric>=X" with a command
    line `metric`, which gets a folder of outputs, N_NAME.npy, and prints a number.
    `output`, `minimize`, `search`, `budget`, `precisions` and `repairs` are those
    of the command line. `calibrator="measured"` needs `ranges` that `quantize`
    has written with it. Raises NacreError with code 1 if the model itself does
    not reach the target.
    """
    out = pathlib.Path(out)
    arguments = ["-o", out, f"--target={target}", *_run_options(options)]
    for name, value in (("metric", metric), ("output", output),
                        ("minimize", minimize), ("search", search),
                        ("budget", budget), ("precisions", precisions),
                        ("repairs", repairs), ("ranges", ranges),
                        ("report", report)):
        if value is not None:
            arguments.append(f"--{name}={value}")
    with sampling.folders(data) as folders, \
            tempfile.TemporaryDirectory(prefix="nacre-") as scratch:
        if labels is not None:
            arguments.append(f"--labels={_labels_file(labels, scratch)}")
        _call("tune", model,
              [*arguments, *_data_arguments(folders, options)], timeout)
    return out


def _labels_file(labels, folder):
    if isinstance(labels, (str, os.PathLike)):
        return os.fspath(labels)
    path = pathlib.Path(folder) / "labels.npy"
    np.save(path, np.asarray(labels).astype(np.int64).reshape(-1))
    return path


class QuantType(enum.Enum):
    """ONNX Runtime's names of types; nacre has the 8-bit ones, and QInt16."""

    QInt8 = 0
    QUInt8 = 1
    QFLOAT8E4M3FN = 2
    QInt16 = 3
    QUInt16 = 4
    QInt4 = 5
    QUInt4 = 6


class QuantFormat(enum.Enum):
    """ONNX Runtime's forms of quantized models; nacre writes QDQ."""

    QOperator = 0
    QDQ = 1


class CalibrationMethod(enum.Enum):
    """ONNX Runtime's calibrators; Distribution is none of nacre's."""

    MinMax = 0
    Entropy = 1
    Percentile = 2
    Distribution = 3


class CalibrationDataReader:
    """What gives feeds until get_next() returns None."""

    def get_next(self):
        raise NotImplementedError

    def __iter__(self):
        return self

    def __next__(self):
        feed = self.get_next()
        if feed is None:
            raise StopIteration
        return feed


# Of ONNX Runtime's extra options: those values that mean what nacre does.
# Options that only limit memory are taken and have no effect.
_EXTRA_OPTIONS = {
    "WeightSymmetric": (True,), "EnableSubgraph": (False,),
    "ForceQuantizeNoInputCheck": (False,),
    "AddQDQPairToWeight": (False,), "DedicatedQDQPair": (False,),
    "OpTypesToExcludeOutputQuantization": ([], (), None),
    "QDQOpTypePerChannelSupportToAxis": ({}, None), "QuantizeBias": (True,),
    "CalibTensorRangeSymmetric": (False,), "CalibMovingAverage": (False,),
    "SmoothQuant": (False,), "UseQDQContribOps": (False,),
    "TensorQuantOverrides": ({}, None), "MinimumRealRange": (None,),
    "QDQDisableWeightAdjustForInt32Bias": (False,), "DefaultTensorType": (None,),
    "CalibMaxIntermediateOutputs": None, "CalibStridedMinMax": None}


def _refuse(name, value, reason):
    raise InvalidInput(f"{name}={value} is not supported: {reason}")


def _choose(name, value, choices, reason):
    """What VALUE, a member of one of ONNX Runtime's enumerations or of those
    here, stands for."""
    member = getattr(value, "name", value)
    if member not in choices:
        _refuse(name, member, reason)
    return choices[member]


def _read_extra_options(extra):
    """How ONNX Runtime's extra options quantize."""
    symmetric, percentile, activations, kept = False, 99.999, False, False
    for name, value in (extra or {}).items():
        if name == "ActivationSymmetric":
            symmetric = bool(value)
        elif name == "CalibPercentile":
            percentile = value
        elif name == "MatMulConstBOnly":
            activations = not value
        elif name == "QDQKeepRemovableActivations":
            kept = bool(value)
        elif name not in _EXTRA_OPTIONS:
            _refuse(f"extra_options['{name}']", value,
                    "nacre has no such option")
        else:
            allowed = _EXTRA_OPTIONS[name]
            if allowed is not None and value not in allowed:
                _refuse(f"extra_options['{name}']", value,
                        f"nacre has {allowed[0]}")
    return symmetric, percentile, activations, kept


def _pattern(name):
    """The pattern that matches NAME alone."""
    return "".join("\\" + c if c in "*?[]{}\\" else c for c in name)


def _choose_nodes(op_types_to_quantize, nodes_to_quantize, nodes_to_exclude):
    """Which nodes become integers, as options of `quantize`."""
    if nodes_to_quantize:
        _refuse("nodes_to_quantize", nodes_to_quantize,
                "nodes_to_exclude names the others")
    only = list(op_types_to_quantize or ())
    if "MatMul" in only:
        only.append("Gemm")   # a MatMul and an Add are one
    return {"only": only, "quantize_embeddings": "Gather" in only,
            "keep_nodes": [_pattern(name) for name in nodes_to_exclude or ()]}


def quantize_static(model_input, model_output, calibration_data_reader,
                    quant_format=QuantFormat.QDQ, op_types_to_quantize=None,
                    per_channel=False, reduce_range=False,
                    activation_type=QuantType.QInt8,
                    weight_type=QuantType.QInt8, nodes_to_quantize=None,
                    nodes_to_exclude=None, use_external_data_format=False,
                    calibrate_method=CalibrationMethod.MinMax,
                    calibration_cache_path=None, calibration_providers=None,
                    extra_options=None):
    """Quantizes a model as a call of onnxruntime.quantization's function of this
    name asks for, with its defaults; nacre.quantize has nacre's own. What cannot
    be done is refused by the argument's name."""
    _choose("quant_format", quant_format, {"QDQ": None},
            "nacre writes QuantizeLinear and DequantizeLinear nodes")
    activations = _choose("activation_type", activation_type,
                          {"QInt8": "int8", "QUInt8": "uint8",
                           "QInt16": "int16"},
                          "nacre quantizes activations to 8 bits or to QInt16")
    weights = _choose("weight_type", weight_type,
                      {"QInt8": "int8", "QInt16": "int16"}
                      if activations == "int16" else {"QInt8": "int8"},
                      "nacre quantizes weights to int8, or with QInt16 "
                      "activations to int16")
    calibrator = _choose("calibrate_method", calibrate_method,
                         {"MinMax": "minmax", "Entropy": "entropy",
                          "Percentile": "percentile"},
                         "nacre has MinMax, Entropy and Percentile")
    nodes = _choose_nodes(op_types_to_quantize, nodes_to_quantize,
                          nodes_to_exclude)
    if calibration_cache_path is not None:
        _refuse("calibration_cache_path", calibration_cache_path,
                "nacre.calibrate writes ranges that nacre.quantize takes")
    runtime_options.check_providers(calibration_providers)
    symmetric, percentile, products, kept = _read_extra_options(extra_options)
    if products:
        nodes["ops"] = [*(nodes.pop("only") or ["default"]),
                        "MatMulActivations"]
    if symmetric and activations == "uint8":
        _refuse("extra_options['ActivationSymmetric']", True,
                "integers without a zero point are int8 or int16")
    if not symmetric and activations == "int16":
        _refuse("activation_type", "QInt16", "it has no zero point, which "
                "extra_options['ActivationSymmetric']=True asks for")
    if reduce_range and activations == "int16":
        _refuse("reduce_range", True, "it is for 8-bit activations")
    if calibrator == "percentile":
        calibrator += f":{percentile}"
    options = {"schema": "symmetric"} if symmetric and activations == "int8" \
        else {"activations": activations, "weights": weights}
    quantize(model_input, model_output, calibration_data_reader,
             external_data=use_external_data_format, calibrator=calibrator,
             per_tensor=not per_channel, reduce_range=reduce_range,
             keep_activations=kept, **nodes, **options)


def quantize_dynamic(model_input, model_output, op_types_to_quantize=None,
                     per_channel=False, reduce_range=False,
                     weight_type=QuantType.QInt8, nodes_to_quantize=None,
                     nodes_to_exclude=None, use_external_data_format=False,
                     extra_options=None):
    """Quantizes a model without data, as a call of onnxruntime.quantization's
    function of this name asks for, with its defaults. What cannot be done is
    refused by the argument's name."""
    _choose("weight_type", weight_type, {"QInt8": None},
            "nacre quantizes weights to int8, and writes those of convolutions "
            "as uint8 around 128, which ONNX Runtime needs")
    nodes = _choose_nodes(op_types_to_quantize, nodes_to_quantize,
                          nodes_to_exclude)
    symmetric, _, products, kept = _read_extra_options(extra_options)
    if kept:
        _refuse("extra_options['QDQKeepRemovableActivations']", True,
                "there is no QuantizeLinear that an activation could be a part of")
    if products:
        _refuse("extra_options['MatMulConstBOnly']", False,
                "ranges measured at run time are for products with weights")
    if symmetric:
        _refuse("extra_options['ActivationSymmetric']", True,
                "ranges measured at run time become uint8")
    quantize(model_input, model_output, activations="dynamic",
             external_data=use_external_data_format,
             per_tensor=not per_channel, reduce_range=reduce_range, **nodes)
