# ===- workflow_accuracy.py - What quantized models are good for -------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of how accurate quantized models are: signal over noise, how alike the
engines are, and what users of a model look at, such as faces that it finds."""

import pathlib
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

import nacre
from nacre import cli

import accuracy_data as data
import bench_accuracy
import workflow
from workflow import Missing, at_least, at_most, none_of

# ONNX Runtime's default, and how far below the best of its recipes a default may
# be.
RECIPE = "minmax-tensor-s8"
RECIPE_SLACK = 0.5
# What a default gains over that of ONNX Runtime where the model has convolutions.
# mobilenet_v2 has random weights and noise that grows from layer to layer, of which
# nearly all is that of activations: with weights in f32 it gains 1.3 dB.
CONVOLUTIONS_GAIN, OWN_GAIN = 3, {"mobilenet_v2": 0.5}
DYNAMIC_DECIBELS = 20
ENGINE_DECIBELS, ENGINE_SAME, ENGINE_STEPS = 30, 0.995, 1
# Of all samples, how many have the same choice as in f32.
AGREEMENT = {"digits": 358 / 360, "mnist8": 0.99, "mlp_audio_genre": 0.97}

PSNR = 38
FACE_SCORE, FACE_OVERLAP, FACES = 0.7, 0.9, 0.95
# Boxes that overlap so much are of one face.
SAME_FACE = 0.3
FACE_IMAGES = 64
FRAMES, DECISIONS, CHANGE = 500, 0.98, 0.03


def check_models(names):
    """The known models, of those of NAMES if any."""
    for name in bench_accuracy.MODELS:
        if names and name not in names:
            continue
        path = bench_accuracy.find(name)
        if path is None or not path.exists():
            yield workflow.Row(name, f"no {path or name}", "", workflow.SKIPPED)
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                yield from check_model(name, path, pathlib.Path(folder))
            except ImportError as error:
                yield workflow.Row(name, f"install {error.name}", "",
                                   workflow.SKIPPED)


def check_model(name, path, folder):
    judge = bench_accuracy.Bench(name, path, folder)
    default, same = judge.judge("default")
    small = folder / "default.onnx"
    yield at_least(f"{name}, {judge.source}: signal over noise", default,
                   judge.floor, " dB")
    recipes = judge.measure_recipes(bench_accuracy.RECIPES)
    best = max(recipes, key=recipes.get)
    yield at_least(f"{name}: more than the best recipe", default - recipes[best],
                   -RECIPE_SLACK, " dB", f", {best}")
    if is_convolutional(path):
        yield at_least(f"{name}: more than {RECIPE}", default - recipes[RECIPE],
                       OWN_GAIN.get(name, CONVOLUTIONS_GAIN), " dB")
    if name in AGREEMENT:
        yield at_least(f"{name}: same choice", same[0] / same[1],
                       AGREEMENT[name], more=f", {same[0]} of {same[1]}")
    if name in OWN:
        yield from attempt(name, OWN[name], path, small)
    yield from attempt(name, check_engines, judge)


def is_convolutional(path):
    return any(node.op_type == "Conv" for node in onnx.load(str(path)).graph.node)


def attempt(name, check, *arguments):
    try:
        yield from check(*arguments)
    except Missing as error:
        yield workflow.Row(f"{name}: {check.__name__.replace('_', ' ')}",
                           f"install {error}", "", workflow.SKIPPED)


def check_engines(judge):
    workflow.peer()
    engines = judge.compare_engines()
    what = f"{judge.name}: nacre against ONNX Runtime"
    yield at_least(what, engines.noise, ENGINE_DECIBELS, " dB")
    if np.isfinite(engines.backends):
        yield at_least(f"{judge.name}: backends against cpu", engines.backends,
                       ENGINE_DECIBELS, " dB")
    if engines.same:
        yield at_least(f"{what}, same choice",
                       engines.same[0] / engines.same[1], ENGINE_SAME)
    if engines.steps is not None:
        yield at_most(f"{what}, steps apart", engines.steps, ENGINE_STEPS)


def check_digits(path, small):
    images = np.stack(data.test_digits())
    labels = np.load(data.DIGITS / "test_labels.npy")
    right = []
    for model in path, small:
        scores, = bench_accuracy.run(
            model, [{"image": image[None, None]} for image in images])
        right.append(np.count_nonzero(
            scores.reshape(len(scores), -1).argmax(1) == labels))
    yield at_least("digits: recognised", right[1], right[0] - 1,
                   f" of {len(labels)}")


def check_mnist(path, small):
    """The data sets that are published with it."""
    session = nacre.InferenceSession(str(small))
    wrong, total = [], 0
    for folder in sorted(path.parent.glob("test_data_set_*")):
        given, expected = (numpy_helper.to_array(onnx.load_tensor(
            str(folder / f"{kind}_0.pb"))) for kind in ("input", "output"))
        # Pixels go to 255. A set of noise from 0 to 1 is no picture, and a step of
        # pixels that are quantized.
        if given.max() <= 1:
            continue
        total += 1
        scores = session.run(None, {"Input3": given})[0]
        if scores.argmax() != expected.argmax():
            wrong.append(folder.name)
    yield none_of("mnist8: stored pictures have the same choice", wrong, total)


def need_photographs(count):
    if len(data.photographs()) < count:
        raise Missing("python3-pil, python3-sklearn and python-matplotlib-data")


def check_superres(path, small):
    """Peak signal to noise of images from 0 to 1."""
    need_photographs(2)
    _, samples, _ = data.superres(path, np.random.default_rng(1))
    (expected,), (found,) = (bench_accuracy.run(model, samples)
                             for model in (path, small))
    ratios = [-10 * np.log10(np.mean((a - b) ** 2))
              for a, b in zip(expected, found)]
    yield at_least("superres_core: PSNR, mean of images", np.mean(ratios), PSNR,
                   " dB", f", least {min(ratios):.1f}")


def areas(boxes):
    return np.prod(np.maximum(boxes[..., 2:] - boxes[..., :2], 0), -1)


def overlaps(box, boxes):
    """Intersection over union of one box with others."""
    common = areas(np.concatenate([np.maximum(box[:2], boxes[:, :2]),
                                   np.minimum(box[2:], boxes[:, 2:])], 1))
    return common / np.maximum(areas(box) + areas(boxes) - common, 1e-12)


def find_faces(scores, boxes):
    """The best boxes of an image, of which no two are of one face."""
    likely = scores[:, 1] > FACE_SCORE
    boxes = boxes[likely][np.argsort(-scores[likely, 1], kind="stable")]
    faces = []
    while len(boxes):
        faces.append(boxes[0])
        boxes = boxes[overlaps(boxes[0], boxes) <= SAME_FACE]
    return faces


def count_matches(faces, others):
    """How many faces have one among others, each for itself."""
    others, count = list(others), 0
    for face in faces:
        if others:
            found = overlaps(face, np.stack(others))
            if found.max() >= FACE_OVERLAP:
                others.pop(int(found.argmax()))
                count += 1
    return count


def check_ultraface(path, small):
    """Faces of either model that are also the other one's."""
    need_photographs(3)
    images, _ = data.colour_images(np.random.default_rng(2), FACE_IMAGES, 240,
                                   320, faces=True)
    feeds = [{"input": ((image * 255 - 127) / 128)[None].astype(np.float32)}
             for image in images]
    faces = [[find_faces(scores[0], boxes[0]) for scores, boxes
              in zip(*bench_accuracy.run(model, feeds))]
             for model in (path, small)]
    matched = sum(map(count_matches, *faces))
    total = sum(max(len(a), len(b)) for a, b in zip(*faces))
    yield at_least("ultraface_rfb320: faces matched", matched / max(total, 1),
                   FACES, more=f", {matched} of {total}")


def follow(path, frames):
    """The probability of speech in each frame, of a model that keeps its state."""
    session = nacre.InferenceSession(str(path))
    state, found = np.zeros((2, 1, 128), np.float32), []
    for frame in frames:
        share, state = session.run(["output", "stateN"],
                                   {"input": frame, "state": state})
        found.append(float(share.reshape(-1)[0]))
    return np.array(found)


def check_silero(path, small):
    """Sentences by other voices than those that calibrated."""
    sound, source = data.sounds(np.random.default_rng(3), FRAMES * 512,
                                data.VOICES[::-1])
    if source != "speech":
        raise Missing("espeak-ng")
    sound = np.concatenate([np.zeros(64, np.float32), sound])
    frames = [sound[None, i * 512:i * 512 + 576] for i in range(FRAMES)]
    expected, found = (follow(model, frames) for model in (path, small))
    same = np.count_nonzero((expected > 0.5) == (found > 0.5))
    yield at_least("silero_vad_static16k: decisions that agree, state carried",
                   same / FRAMES, DECISIONS,
                   more=f", {same} of {FRAMES}, {(expected > 0.5).sum()} speech")
    yield at_most("silero_vad_static16k: mean change of p, state carried",
                  np.abs(expected - found).mean(), CHANGE)


def check_bert(path, small):
    """Ranges that each run finds, and the mask, which stays as it is."""
    _, samples, _ = data.bert(path, np.random.default_rng(1))
    dynamic = small.with_name("dynamic.onnx")
    cli.nacre("quantize", path, "--activations=dynamic", "-o", dynamic)
    expected, found = (bench_accuracy.run(model, samples)
                       for model in (path, dynamic))
    noise, _ = bench_accuracy.compare(expected, found)
    yield at_least("bert_mini: signal over noise, dynamic", noise,
                   DYNAMIC_DECIBELS, " dB")
    rounded = [name for name in values_of(small, "attention_mask")
               if name in rounded_values(small)]
    yield at_most("bert_mini: values of the mask alone that are rounded",
                  len(rounded), 0)


def values_of(path, name):
    """The values that an input and constants alone decide."""
    graph = onnx.load(str(path)).graph
    known = {tensor.name for tensor in graph.initializer}
    values = {name}
    for node in graph.node:
        inputs = {value for value in node.input if value}
        if inputs <= known:
            known.update(node.output)
        elif inputs <= known | values:
            values.update(node.output)
    return values


def rounded_values(path):
    return {node.input[0] for node in onnx.load(str(path)).graph.node
            if node.op_type == "QuantizeLinear"}


OWN = {"digits": check_digits, "bert_mini": check_bert, "mnist8": check_mnist,
       "superres_core": check_superres, "ultraface_rfb320": check_ultraface,
       "silero_vad_static16k": check_silero}


SCHEMA_FLOORS = {"asymmetric": 27, "symmetric": 24, "symmetric_with_uint8": 24,
                 "symmetric_power2": 20}
WIDE_FLOORS = {8: 30, 16: 60}
SCHEMA_SAMPLES = 4


def schema_options():
    """(Options of quantize, decibels that they leave) of each combination."""
    for granularity in [], ["--per-tensor"]:
        for schema, floor in SCHEMA_FLOORS.items():
            for bias in "int32", "int8", "f32":
                yield [f"--schema={schema}", f"--bias={bias}",
                       *granularity], floor
        for bits, floor in WIDE_FLOORS.items():
            for schema in "symmetric", "symmetric_power2":
                for bias in "int32", "int8", "f32":
                    yield ["--activations=int16", f"--weights=int{bits}",
                           f"--schema={schema}", f"--bias={bias}",
                           *granularity], floor


def check_schemas():
    """Every schema and type on two networks, in both engines."""
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise Missing("python3-sklearn") from error
    workflow.peer()
    for name in "digits", "mnist8":
        path = bench_accuracy.find(name)
        if not path.exists():
            raise Missing(f"the network '{name}'")
        yield from check_schemas_of(name, path)


def check_schemas_of(name, path):
    make, _ = bench_accuracy.MODELS[name]
    calibration, samples, _ = make(path, np.random.default_rng(1))
    expected = bench_accuracy.run(path, samples)
    poor, apart, others, total = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ranges, small = folder / "ranges.yaml", folder / "small.onnx"
        nacre.calibrate(path, calibration, ranges)
        for options, floor in schema_options():
            cli.nacre("quantize", path, f"--ranges={ranges}", *options, "-o",
                      small)
            total += 1
            words = " ".join(options)
            ours = bench_accuracy.run(small, samples)
            noise, _ = bench_accuracy.compare(expected, ours)
            if noise < floor:
                poor.append(f"{words} ({noise:.1f} dB)")
            if not has_schema(small, words):
                others.append(words)
            theirs = bench_accuracy.run_peer(small, samples[:SCHEMA_SAMPLES])
            noise, _ = bench_accuracy.compare(
                theirs, [values[:SCHEMA_SAMPLES] for values in ours])
            if noise < ENGINE_DECIBELS:
                apart.append(f"{words} ({noise:.1f} dB)")
    yield none_of(f"{name}: schemas and types reach their floors", poor, total)
    yield none_of(f"{name}: both engines agree to {ENGINE_DECIBELS} dB", apart,
                  total)
    yield none_of(f"{name}: scales and zero points are those of the schema",
                  others, total)


def has_schema(path, words):
    """Whether zero points of a file are 0 for a symmetric schema, and scales powers
    of two where they have to be."""
    graph = onnx.load(str(path)).graph
    constants = {tensor.name: numpy_helper.to_array(tensor)
                 for tensor in graph.initializer}
    nodes = [node for node in graph.node if node.op_type == "QuantizeLinear"]
    scales, zeros = ([constants[node.input[i]] for node in nodes] for i in (1, 2))
    logarithms = np.log2(np.float64(scales))
    return (bool(nodes)
            and not ("symmetric" in words.replace("asymmetric", "")
                     and np.any(zeros))
            and not ("power2" in words and np.any(logarithms % 1)))
