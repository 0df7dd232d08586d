#!/usr/bin/python3
# ===- bench_accuracy.py - How accurate quantized models are ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantizes known models and compares them with floors, with ONNX Runtime's
recipes, and with ONNX Runtime.

Each model is calibrated on some samples and judged by others, which
accuracy_data.py finds or makes by a fixed seed, and which the table names. Figures
are signal over noise of the worst output against the model in f32, in decibels,
over all samples that judge.

  default   nacre quantize as it is
  measured  with --calibrator=measured
  repaired  with --equalize=auto --smooth=auto --rounding=hessian
  exact     with --bias-correction=exact
  recipe    the best of those that --recipe names: ONNX Runtime's calibrators,
            minmax (its default), entropy and percentile, with one scale for all
            weights of an operator (tensor) or for each channel (channel), and
            activations u8 or s8. They are rebuilt from their documented rules on
            nacre's placement: its own choice of what is quantized, without
            correction of biases, with weights rounded to the nearest
  floor     what the default has to reach
  engines   with --ort: the same file, the default's, in nacre and in ONNX Runtime,
            by which `make bench` races: signal over noise of one against the
            other, how often their choice is the same, and of networks of up to
            four products the largest difference in steps of the scale of what the
            last one reads; then signal over noise of nacre's other backends
            against cpu, on four samples, but for models that take them minutes

The exit status is 1 where a default misses its floor, or is half a decibel worse than
the best recipe, or the engines are less alike than 30 dB, 99.5 % or one step.
"""

import argparse
import itertools
import pathlib
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import nacre  # noqa: E402
from nacre import cli, samples, suite  # noqa: E402

import accuracy_data as data  # noqa: E402
import bench  # noqa: E402
import check_models  # noqa: E402

CALIBRATORS = {"minmax": "minmax", "entropy": "entropy",
               "percentile": "percentile:99.999"}
ACTIVATIONS = {"u8": "uint8", "s8": "int8"}
RECIPES = ["-".join(parts) for parts in itertools.product(
    CALIBRATORS, ("tensor", "channel"), ACTIVATIONS)]
# In a deep network a last digit that differs may become as much as rounding is, in
# one sample and not in the next.
BACKEND_SAMPLES = 4
REPAIRS = {"equalize": "auto", "smooth": "auto", "rounding": "hessian"}


# How samples are made, and the decibels that the default has to reach.
MODELS = {
    "digits": (data.digits, 27), "mnist8": (data.mnist, 27),
    "superres_core": (data.superres, 25),
    "ultraface_rfb320": (data.ultraface, 20),
    "silero_vad_static16k": (data.silero, 34),
    "mlp_audio_genre": (data.genre, 25), "bert_mini": (data.bert, 17),
    "mobilenet_v2": (data.classifier("input"), 14),
    "rw-light_squeezenet": (data.classifier("data_0"), 17),
    "rw-light_resnet50": (data.classifier("gpu_0/data_0"), 14)}


def run(path, feeds):
    """Each output over all samples."""
    session = nacre.InferenceSession(str(path))
    results = [session.run(None, feed) for feed in feeds]
    return [np.stack(values) for values in zip(*results)]


def write(folder, feed):
    """Writes a sample as test data; gives the files by input."""
    files = {}
    for number, (name, array) in enumerate(feed.items()):
        files[name] = folder / f"input_{number}.pb"
        samples.write_tensor(files[name], name, array)
    return files


def run_backend(path, feeds, backend):
    """Each output over all samples, by a backend."""
    names = [output.name for output in onnx.load(str(path)).graph.output]
    results = []
    for feed in feeds:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            inputs = [f"--input={name}={file}"
                      for name, file in write(folder, feed).items()]
            cli.nacre("run", path, f"--backend={backend}", *inputs,
                      f"--output-dir={folder}")
            results.append([np.load(folder / cli.output_file_name(name))
                            for name in names])
    return [np.stack(values) for values in zip(*results)]


def run_peer(path, feeds):
    """Each output over all samples, by ONNX Runtime."""
    program, results = bench.build_peer(), []
    for feed in feeds:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            write(folder, feed)
            bench.run([program, path, folder, 1, 0, "--write-outputs"])
            count = len(list(folder.glob("output_*.pb")))
            results.append([numpy_helper.to_array(onnx.load_tensor(
                str(folder / f"output_{i}.pb"))) for i in range(count)])
    return [np.stack(values) for values in zip(*results)]


def decibels(expected, found):
    noise = ((expected - found) ** 2).sum()
    return 10 * np.log10((expected ** 2).sum() / max(noise, 1e-30))


def compare(expected, found):
    """Decibels of the worst output, and of how many rows of scores how many have
    the same choice; none where there are no scores."""
    noise = min(decibels(a, b) for a, b in zip(expected, found))
    rows, others = (values[0].reshape(len(values[0]), -1)
                    for values in (expected, found))
    width = rows.shape[1]
    if width == 1:  # a probability
        same = (rows > 0.5) == (others > 0.5)
    elif width in (10, 1000):
        same = rows.argmax(1) == others.argmax(1)
    else:
        return noise, None
    return noise, (np.count_nonzero(same), same.size)


def last_step(path):
    """The scale of what the last of up to four products reads; none of more."""
    graph = onnx.load(str(path)).graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    products = [node for node in graph.node
                if node.op_type in ("Conv", "Gemm", "MatMul")]
    scales = [node.input[1] for node in graph.node
              if node.op_type == "QuantizeLinear"]
    if len(products) > 4 or not scales:
        return None
    return float(numpy_helper.to_array(constants[scales[-1]]))


class Engines:
    """A quantized file in nacre and in ONNX Runtime."""

    def __init__(self, path, feeds, backends):
        ours, theirs = run(path, feeds), run_peer(path, feeds)
        self.noise, self.same = compare(theirs, ours)
        step = last_step(path)
        self.steps = None if step is None else max(
            np.abs(a - b).max() / step for a, b in zip(ours, theirs))
        some = [values[:BACKEND_SAMPLES] for values in ours]
        self.backends = min(
            (compare(some, run_backend(path, feeds[:BACKEND_SAMPLES],
                                       backend))[0]
             for backend in backends), default=np.inf)

    def differ(self):
        apart = self.same is not None and self.same[0] < 0.995 * self.same[1]
        return (min(self.noise, self.backends) < 30 or apart
                or (self.steps is not None and self.steps > 1))

    def __str__(self):
        parts = [f"{self.noise:.1f} dB"]
        if self.same:
            parts.append(describe(self.same))
        if self.steps is not None:
            parts.append(f"{self.steps:.2f} steps")
        if np.isfinite(self.backends):
            parts.append(f"backends {self.backends:.1f} dB")
        return ", ".join(parts)


def describe(same):
    return f"{same[0]} of {same[1]}" if same else ""


def recipe_options(recipe):
    calibrator, weights, activations = recipe.split("-")
    return {"calibrator": CALIBRATORS[calibrator],
            "per_tensor": weights == "tensor",
            "activations": ACTIVATIONS[activations], "bias_correction": "off",
            "rounding": "nearest"}


class Bench:
    """A model in f32, and what is made of it."""

    def __init__(self, name, model, folder):
        self.name, self.model, self.folder = name, model, folder
        make, self.floor = MODELS[name]
        self.calibration, self.samples, self.source = make(
            model, np.random.default_rng(1))
        self.expected = run(model, self.samples)

    def judge(self, name="small", **options):
        small = self.folder / f"{name}.onnx"
        feeds = None if "ranges" in options else self.calibration
        nacre.quantize(self.model, small, feeds, **options)
        return compare(self.expected, run(small, self.samples))

    def measure(self, recipes, repairs):
        """The default, that with the measured calibrator, the repaired one, that
        with exact biases, and the best recipe by name."""
        default, same = self.judge("default")
        measured = self.judge(calibrator="measured")[0]
        found = self.measure_recipes(recipes)
        best = max(((noise, recipe) for recipe, noise in found.items()),
                   default=None)
        repaired = self.judge(**REPAIRS)[0] if repairs else None
        exact = self.judge(bias_correction="exact")[0] if repairs else None
        return default, same, measured, repaired, exact, best

    def measure_recipes(self, recipes):
        """What they leave by the ranges of the default, by their names."""
        ranges = self.folder / "default.ranges.yaml"
        return {recipe: self.judge(ranges=ranges, **recipe_options(recipe))[0]
                for recipe in recipes}

    def compare_engines(self):
        return Engines(self.folder / "default.onnx", self.samples,
                       () if self.name in check_models.HEAVY
                       else check_models.SLOW)


def find(name):
    """The file of a model; none where it is not there."""
    if name == "digits":
        return data.DIGITS / "digits.onnx"
    if name.startswith("rw-"):
        folder = cli.ROOT / "build" / "models-rw" / name[3:]
        if not (folder / "model.onnx").exists():
            folder = check_models.random_twins(suite.models_folder()).get(name)
        return folder and folder / "model.onnx"
    return suite.models_folder() / name / "model.onnx"


def row(name, bench_, args):
    """The cells of a model, and what is wrong with it."""
    default, same, measured, repaired, exact, (recipe, best) = bench_.measure(
        args.recipe, not args.no_repairs)
    verdicts = []
    if default < bench_.floor:
        verdicts.append("below the floor")
    if default < recipe - 0.5:
        verdicts.append("below the recipe")
    cells = [name, bench_.source, f"{default:.1f} dB", describe(same),
             *("" if value is None else f"{value:.1f} dB"
               for value in (measured, repaired, exact)),
             f"{recipe:.1f} dB ({best})",
             f"{bench_.floor} dB"]
    if args.ort:
        engines = bench_.compare_engines()
        cells.append(str(engines))
        if engines.differ():
            verdicts.append("engines differ")
    return [*cells, ", ".join(verdicts)], verdicts


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL",
                        help="of " + ", ".join(MODELS) + " (default: all)")
    parser.add_argument("--recipe", action="append", metavar="NAME",
                        choices=[*RECIPES, "all"],
                        help="as minmax-tensor-s8 (default), or all; may be "
                             "repeated")
    parser.add_argument("--no-repairs", action="store_true",
                        help="leave the repaired models out")
    parser.add_argument("--ort", action="store_true",
                        help="also run the files in ONNX Runtime")
    args = parser.parse_args()
    unknown = set(args.models) - set(MODELS)
    if unknown:
        parser.error(f"no model is called '{min(unknown)}'")
    args.recipe = args.recipe or ["minmax-tensor-s8"]
    if "all" in args.recipe:
        args.recipe = RECIPES
    titles = ["model", "data", "default", "same choice", "measured", "repaired",
              "exact", "recipe", "floor", *(["engines"] if args.ort else []), ""]
    print("| " + " | ".join(titles) + " |\n|---|---|--:|--:|--:|--:|--:|---|--:|"
          + "---|" * (len(titles) - 9))
    failures = 0
    for name in args.models or MODELS:
        model = find(name)
        if model is None:
            print(f"{name}: is not there", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            cells, verdicts = row(
                name, Bench(name, model, pathlib.Path(folder)), args)
        failures += bool(verdicts)
        print("| " + " | ".join(cells) + " |", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
