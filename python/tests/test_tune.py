# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nacre tune`: which nodes need f32 for a model to be good enough on int8."""

import json
import re
import signal
import subprocess
import time

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nacre
import pictures
from nacre import builders, cli
from nacre.samples import write_tensor
from test_quantization_report import network, write_samples
from test_repairs import depthwise

DIGITS = cli.ROOT / "python" / "models" / "digits"


def tune(*arguments, status=0):
    process = subprocess.run([cli.tool(), "tune", *map(str, arguments)],
                             text=True, capture_output=True)
    assert process.returncode == status, process.stderr
    return process.stdout, process.stderr


def overrides(profile):
    """What is written behind the values of a range profile, without comments
    behind its end."""
    text = profile.read_text().split("\n...\n")[0]
    return text[text.index("overrides:"):] if "overrides:" in text else ""


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """The digit classifier with a channel of weights a thousand times as large,
    which is behind a Relu that lets nothing of it through; all test images."""
    folder = tmp_path_factory.mktemp("tune")
    model = onnx.load(str(DIGITS / "digits.onnx"))
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor).copy()
        if tensor.name == "w1":
            array[3] = -1e3 * np.abs(array[3])
        if tensor.name == "b1":
            array[3] = -1
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    onnx.save(model, str(folder / "digits.onnx"))
    images = np.load(DIGITS / "test_images.npy").astype(np.float32)
    labels = np.load(DIGITS / "test_labels.npy")
    for i, image in enumerate(images.reshape(-1, 1, 1, 8, 8)):
        (folder / "data" / str(i)).mkdir(parents=True)
        write_tensor(folder / "data" / str(i) / "input_0.pb", "image", image)
    np.save(folder / "labels.npy", labels.astype(np.int64))
    np.savetxt(folder / "labels.txt", labels, fmt="%d")
    return folder, images.reshape(-1, 1, 1, 8, 8), labels


@pytest.fixture(scope="module")
def tuned(digits):
    folder = digits[0]
    start = time.monotonic()
    out, progress = tune(
        folder / "digits.onnx", f"--data={folder / 'data'}", "--samples=360",
        f"--labels={folder / 'labels.npy'}", "--per-tensor",
        "--target=top1-drop<=0", "-o", folder / "tuned.yaml",
        f"--report={folder / 'tuned.json'}")
    return out, progress, time.monotonic() - start


def count_right(model, images, labels):
    session = nacre.InferenceSession(str(model))
    return sum(session.run(None, {"image": image})[0].argmax() == label
               for image, label in zip(images, labels))


def test_layer_that_int8_cannot_hold_is_found_and_no_other(digits, tuned):
    found = overrides(digits[0] / "tuned.yaml")
    assert re.findall(r"node: +(\S+)", found) == ["conv1"]
    assert "precision:       f32" in found
    assert "f32: 'conv1'\n" in tuned[1]


def test_tuned_model_is_as_often_right_with_most_of_it_on_integers(digits,
                                                                   tuned):
    folder, images, labels = digits
    cli.nacre("compile", folder / "digits.onnx", "--per-tensor", "-o",
              folder / "tuned.so", f"--ranges={folder / 'tuned.yaml'}")
    assert (count_right(folder / "tuned.so", images, labels)
            >= count_right(folder / "digits.onnx", images, labels))
    report = json.loads((folder / "tuned.json").read_text())
    assert report["macs_quantized"] >= 0.8 * report["macs"]
    assert tuned[2] < 60


def test_all_trials_need_two_compilations(tuned):
    out = tuned[0]
    trials, compiled = re.search(
        r"after (\d+) trials, for which the model was compiled (\d+) times",
        out).groups()
    assert int(trials) > 5 and int(compiled) == 2


def test_report_has_the_trials(digits, tuned):
    report = json.loads((digits[0] / "tuned.json").read_text())
    trials = report["trials"]
    assert report["metric"] == "top1"
    assert trials[0]["what"] == "all in f32" and trials[0]["float_macs"] == 1
    assert trials[1]["what"] == "all in int8" and trials[1]["float_macs"] == 0
    assert trials[1]["metric"] < 0.5 < trials[0]["metric"]
    assert trials[-1]["reaches_target"] or any(
        trial["reaches_target"] and trial["float_macs"] < 0.2
        for trial in trials)


def test_trials_that_no_other_beats_are_marked_and_listed(digits, tuned):
    trials = json.loads((digits[0] / "tuned.json").read_text())["trials"]

    def losses(trial):
        return -trial["metric"], trial["float_macs"], trial["estimated_ms"]

    def is_beaten(trial):
        return any(all(a <= b for a, b in zip(losses(other), losses(trial)))
                   and losses(other) != losses(trial) for other in trials)

    # Of equal ones the first.
    unbeaten = {}
    for trial in trials:
        if not is_beaten(trial):
            unbeaten.setdefault(losses(trial), trial)
    marked = [trial for trial in trials if trial["pareto"]]
    assert marked == list(unbeaten.values()) and len(marked) > 1
    # Bytes cost less than floats.
    assert 0 < trials[1]["estimated_ms"] < trials[0]["estimated_ms"]
    listed = [line for line in
              (digits[0] / "tuned.yaml").read_text().splitlines()
              if re.match(r"# [^,]+, [0-9.]+ %, \S+ ms: ", line)]
    best = sorted(marked, key=lambda trial: -trial["metric"])
    assert [line.split(" ms: ")[1] for line in listed] == [
        trial["what"] + " (reached)" * trial["reaches_target"]
        for trial in best]


def test_names_with_line_breaks_stay_in_their_comments(tmp_path):
    network(tmp_path / "net.onnx")
    model = onnx.load(str(tmp_path / "net.onnx"))
    for node in model.graph.node:
        node.name = f"{node.name}\nof: [\x07 \u2028b"
    onnx.save(model, str(tmp_path / "net.onnx"))
    write_samples(tmp_path / "data")
    tune(tmp_path / "net.onnx", f"--data={tmp_path / 'data'}", "--per-tensor",
         "--target=sqnr>=30", "-o", tmp_path / "t.yaml")
    text = (tmp_path / "t.yaml").read_text()
    comments = text.split("\n...\n")[1].splitlines()
    assert any(r"wide\nof: [\a \Lb" in line for line in comments), comments
    assert all(line.startswith("# ") for line in comments)
    cli.nacre("compile", tmp_path / "net.onnx", "-o", tmp_path / "net.so",
              f"--ranges={tmp_path / 't.yaml'}", "--per-tensor")


def test_trial_rounds_as_the_quantized_model_does(tmp_path):
    network(tmp_path / "net.onnx")
    write_samples(tmp_path / "data")
    for options in ([], ["--schema=symmetric"], ["--per-tensor"],
                    ["--calibrator=minmax", "--activations=int8"]):
        tune(tmp_path / "net.onnx", f"--data={tmp_path / 'data'}",
             "--target=sqnr>=-50", "-o", tmp_path / "t.yaml",
             f"--report={tmp_path / 't.json'}", "--output=y", *options)
        report = json.loads((tmp_path / "t.json").read_text())
        real = next(output for output in report["outputs"]
                    if output["name"] == "y")
        assert report["trials"][1]["metric"] == pytest.approx(real["snr_db"],
                                                              abs=0.4)


@pytest.mark.parametrize("target, reached", [
    ("agreement>=1", lambda report: report["outputs"][0]["rows"]
     == report["outputs"][0]["rows_of_same_choice"]),
    ("sqnr>=35", lambda report: report["outputs"][0]["snr_db"] > 34),
    ("cosine>=0.9999", lambda report: report["outputs"][0]["cosine"] > 0.9998)])
def test_targets_are_reached(digits, tmp_path, target, reached):
    folder = digits[0]
    tune(folder / "digits.onnx", f"--data={folder / 'data'}",
         f"--target={target}", "-o", tmp_path / "t.yaml", "--per-tensor",
         f"--report={tmp_path / 't.json'}")
    report = json.loads((tmp_path / "t.json").read_text())
    assert reached(report), report["outputs"]
    assert report["macs_quantized"] > 0


def test_command_of_ones_own_measures(digits, tmp_path):
    """It knows the labels and prints how many are right."""
    folder = digits[0]
    script = tmp_path / "count.py"
    script.write_text(f"""
import pathlib, sys
import numpy as np
folder = pathlib.Path(sys.argv[1])
labels = np.load({str(folder / 'labels.npy')!r})
files = sorted(folder.glob('*_scores.npy'))
print('counting')
print(sum(np.load(file).argmax() == labels[int(file.name.split('_')[0])]
          for file in files))
""")
    out, progress = tune(
        folder / "digits.onnx", f"--data={folder / 'data'}", "--samples=40",
        f"--metric=/usr/bin/python3 {script}", "--target=metric-drop<=1",
        "--per-tensor", "-o", tmp_path / "t.yaml")
    assert re.search(r"all in f32: metric (3\d|40), ", progress)
    assert "conv1" in overrides(tmp_path / "t.yaml")


def test_ranges_are_narrowed_where_that_is_better(digits, tmp_path):
    """The images go to 1: a range up to 40 leaves them seven steps."""
    folder = digits[0]
    ranges = tmp_path / "r.yaml"
    cli.nacre("calibrate", DIGITS / "digits.onnx", f"--data={folder / 'data'}",
              "--samples=40", "-o", ranges)
    ranges.write_text(ranges.read_text().replace(
        "\n...", "\noverrides:\n- {value: image, range: [0, 40]}\n..."))
    _, progress = tune(
        DIGITS / "digits.onnx", f"--data={folder / 'data'}", "--samples=40",
        f"--ranges={ranges}", "--search=ranges", "--target=sqnr>=20",
        "-o", tmp_path / "t.yaml")
    assert "0.75 of the range of 'image'" in progress
    found = overrides(tmp_path / "t.yaml")
    assert found.count("value:           image") == 2   # the last one counts
    assert "[ 0, 10 ]" in found.split("image")[-1]


def test_time_that_is_over_leaves_the_best(digits, tmp_path):
    folder = digits[0]
    _, progress = tune(
        folder / "digits.onnx", f"--data={folder / 'data'}",
        f"--labels={folder / 'labels.txt'}", "--per-tensor",
        "--target=top1-drop<=0", "--budget=0.001", "-o", tmp_path / "t.yaml")
    assert "the time of --budget is over" in progress
    assert set(re.findall(r"node: +(\S+)", overrides(tmp_path / "t.yaml"))) == {
        "conv1", "conv2", "gemm"}


def test_interrupt_leaves_the_best(digits, tmp_path):
    folder = digits[0]
    process = subprocess.Popen(
        [cli.tool(), "tune", folder / "digits.onnx",
         f"--data={folder / 'data'}", "--samples=20", "--per-tensor",
         "--metric=sleep 0.3; echo 1; true", "--target=metric>=1", "-o",
         tmp_path / "t.yaml"], text=True, stderr=subprocess.PIPE)
    for line in process.stderr:
        if "trial 1" in line:
            break
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    assert process.wait() == 0, said
    assert "interrupted: this is the best until then" in said
    assert (tmp_path / "t.yaml").exists()


def test_target_beyond_the_model_itself_differs(digits, tmp_path):
    folder = digits[0]
    _, said = tune(
        folder / "digits.onnx", f"--data={folder / 'data'}",
        f"--labels={folder / 'labels.txt'}", "--target=top1>=1", "-o",
        tmp_path / "t.yaml", status=1)
    assert "--target=top1>=1 is beyond the model as it is, whose top1 is 0.9" \
        in said
    assert not (tmp_path / "t.yaml").exists()


@pytest.mark.parametrize("options, message", [
    ([], "tune needs one model, --data=FOLDER and --target"),
    (["--target=speed>=3"], "--target needs METRIC>=X"),
    (["--target=sqnr>=loud"], "--target needs METRIC>=X"),
    (["--target=top1<=1"], "--target needs METRIC>=X"),
    (["--target=sqnr-drop<=1"], "the model itself has no noise"),
    (["--target=top1>=1"], "--target=top1>=1 needs --labels"),
    (["--target=sqnr>=1", "--labels=x"], "--labels is of no use for"),
    (["--target=metric>=1"], "needs --metric"),
    (["--target=metric>=1", "--metric=false"], "found exit status 1"),
    (["--target=metric>=1", "--metric=echo a lot; true"], "found exit status 0"),
    (["--target=top1>=1", "--labels=none.txt"], "cannot read labels"),
    (["--target=top1>=1", "--labels=FEW"], "has 2 labels, and the samples need"),
    (["--target=top1>=1", "--labels=BAD"], "line 2 of '.*' needs an integer"),
    (["--target=sqnr>=1", "--output=none"], "finds no f32 output 'none'"),
    (["--target=sqnr>=1", "--minimize=time"], "--minimize=time is not there"),
    (["--target=sqnr>=1", "--minimize=cost"], "--minimize needs float-macs or"),
    (["--target=sqnr>=1", "--search=all"], "--search needs precision or ranges"),
    (["--target=sqnr>=1", "--precisions=int4"],
     "--precisions needs int8,f32 or int8,int16,f32"),
    (["--target=sqnr>=1", "--precisions=int8,int16,f32", "--activations=int16"],
     "--precisions=int8,int16,f32 is of no use for --activations=int16"),
    (["--target=sqnr>=1", "--repairs=all"], "--repairs needs off or auto"),
    (["--target=sqnr>=1", "--repairs=auto", "--search=both"],
     "--repairs=auto is for --search=precision"),
    (["--target=sqnr>=1", "--repairs=auto", "--smooth=auto"],
     "tries --equalize and --smooth by itself: leave --smooth out"),
    (["--target=sqnr>=1", "--report=x"], "--report needs a file that ends")])
def test_bad_arguments_are_refused(digits, tmp_path, options, message):
    folder = digits[0]
    (tmp_path / "few.txt").write_text("1\n2\n")
    (tmp_path / "bad.txt").write_text("1\ntwo\n")
    options = [option.replace("FEW", str(tmp_path / "few.txt"))
               .replace("BAD", str(tmp_path / "bad.txt")) for option in options]
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre("tune", folder / "digits.onnx", f"--data={folder / 'data'}",
                  "--samples=5", "-o", tmp_path / "t.yaml", *options)
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (tmp_path / "t.yaml").exists()


def keep_together(model):
    """Adds nothing of the largest scores of the batch to all scores."""
    scores, = model.graph.output
    inner = scores.name + "/alone"
    for node in model.graph.node:
        node.output[:] = [inner if name == scores.name else name
                          for name in node.output]
    model.graph.initializer.extend([
        numpy_helper.from_array(np.float32(0), "nothing")])
    model.graph.node.extend([
        builders.node("ReduceMax", [inner], ["most"], axes=[0], keepdims=1),
        builders.node("Mul", ["most", "nothing"], ["none"]),
        builders.node("Add", [inner, "none"], [scores.name])])


def test_samples_of_several_shapes_have_their_labels(tmp_path):
    """Each shape is compiled for; the samples take turns."""
    model = onnx.load(str(DIGITS / "digits.onnx"))
    for value in [*model.graph.input, *model.graph.output]:
        value.type.tensor_type.shape.dim[0].dim_param = "n"
    keep_together(model)
    onnx.save(model, str(tmp_path / "any.onnx"))
    images = np.load(DIGITS / "test_images.npy").astype(np.float32)
    images = images.reshape(-1, 1, 8, 8)
    labels = np.load(DIGITS / "test_labels.npy")
    at = 0
    for i in range(12):
        size = 1 + i % 2 * 2
        (tmp_path / "data" / str(i)).mkdir(parents=True)
        write_tensor(tmp_path / "data" / str(i) / "input_0.pb", "image",
                     images[at:at + size])
        at += size
    np.save(tmp_path / "labels.npy", labels[:at])
    for options, compiled in ([], 4), (["--dynamic"], 2):
        out, progress = tune(
            tmp_path / "any.onnx", f"--data={tmp_path / 'data'}",
            f"--labels={tmp_path / 'labels.npy'}", "--target=top1>=0.9", "-o",
            tmp_path / "t.yaml", *options)
        assert f"compiled {compiled} times" in out
        assert "all in int8: top1" in progress


def test_pictures_are_samples(digits, tmp_path):
    """With a batch of four, of which the last has the first picture again."""
    folder, images, labels = digits
    model = onnx.load(str(folder / "digits.onnx"))
    for value in [*model.graph.input, *model.graph.output]:
        value.type.tensor_type.shape.dim[0].dim_value = 4
    onnx.save(model, str(tmp_path / "four.onnx"))
    (tmp_path / "png").mkdir()
    for i, image in enumerate(images[:39]):
        (tmp_path / "png" / f"{i}.png").write_bytes(
            pictures.png(np.round(image[0, 0] * 255).astype(np.uint8)))
    np.save(tmp_path / "labels.npy", [*labels[:39], labels[0]])
    out, progress = tune(
        tmp_path / "four.onnx", f"--data={tmp_path / 'png'}", "--per-tensor",
        f"--labels={tmp_path / 'labels.npy'}", "--target=top1-drop<=0",
        "-o", tmp_path / "t.yaml", f"--report={tmp_path / 't.json'}")
    assert "compiled 2 times" in out
    assert re.search(r"all in f32: top1 (1|0\.9\d*),", progress)
    assert re.findall(r"node: +(\S+)", overrides(tmp_path / "t.yaml")) == [
        "conv1"]
    report = json.loads((tmp_path / "t.json").read_text())
    assert report["samples"] == 39 and report["outputs"][0]["rows"] == 40


@pytest.fixture(scope="module")
def needy(tmp_path_factory):
    """A product that reads a large column of which it takes nothing, so that 8
    bits leave little of the others, and one that is content."""
    folder = tmp_path_factory.mktemp("needy")
    rng = np.random.default_rng(4)
    weights = rng.standard_normal((16, 16)).astype(np.float32)
    weights[0] = 0
    onnx.save(builders.model(
        [builders.node("Gemm", ["x", "a"], ["h"], "needy"),
         builders.node("Relu", ["h"], ["r"], "relu"),
         builders.node("Gemm", ["r", "b"], ["y"], "content")],
        {"x": ("float32", [8, 16])}, {"y": ("float32", [8, 16])},
        {"a": weights,
         "b": rng.standard_normal((16, 16)).astype(np.float32)}),
        str(folder / "net.onnx"))
    for i in range(8):
        (folder / "data" / str(i)).mkdir(parents=True)
        x = rng.standard_normal((8, 16)).astype(np.float32)
        x[:, 0] *= 200
        write_tensor(folder / "data" / str(i) / "input_0.pb", "x", x)
    return folder


@pytest.mark.parametrize("options, precision", [
    ([], "f32"), (["--precisions=int8,int16,f32"], "int16")])
def test_sixteen_bits_are_between_eight_and_floats(needy, tmp_path, options,
                                                   precision):
    out, progress = tune(
        needy / "net.onnx", f"--data={needy / 'data'}", "--target=sqnr>=33",
        "-o", tmp_path / "t.yaml", f"--report={tmp_path / 't.json'}", *options)
    found = overrides(tmp_path / "t.yaml")
    assert re.findall(r"node: +(\S+)", found) == ["needy"]
    assert re.findall(r"precision: +(\S+)", found) == [precision]
    assert f"in {precision}: 'needy'\n" in progress
    assert "compiled 2 times" in out
    report = json.loads((tmp_path / "t.json").read_text())
    assert {product["node"]: product["precision"]
            for product in report["products"]} == {"needy": precision,
                                                   "content": "int8"}
    assert report["outputs"][0]["snr_db"] > 32
    best = min(trial["float_macs"] for trial in report["trials"]
               if trial["reaches_target"])
    assert best == (0 if precision == "int16" else 0.5)


def test_repairs_are_tried_where_int8_is_not_enough(tmp_path):
    onnx.save(depthwise(), str(tmp_path / "net.onnx"))
    rng = np.random.default_rng(8)
    for i in range(8):
        (tmp_path / "data" / str(i)).mkdir(parents=True)
        write_tensor(tmp_path / "data" / str(i) / "input_0.pb", "x",
                     rng.standard_normal((1, 3, 16, 16)).astype(np.float32))
    arguments = [tmp_path / "net.onnx", f"--data={tmp_path / 'data'}",
                 "--per-tensor", "--target=sqnr>=20"]
    out, progress = tune(*arguments, "-o", tmp_path / "plain.yaml")
    assert "precision:       f32" in overrides(tmp_path / "plain.yaml")
    assert "compiled 2 times" in out and "repaired" not in progress
    out, progress = tune(*arguments, "--repairs=auto", "-o", tmp_path / "t.yaml",
                         f"--report={tmp_path / 't.json'}")
    assert "all in int8, repaired: sqnr" in progress
    assert "this is with --equalize=auto --smooth=auto, which" in progress
    assert "compiled 3 times" in out
    assert overrides(tmp_path / "t.yaml") == ""
    report = json.loads((tmp_path / "t.json").read_text())
    assert report["outputs"][0]["snr_db"] > 19
    assert "equalize" in {repair["kind"]
                          for repair in report["repaired_values"]}


def test_model_that_int8_is_enough_for_is_not_repaired(needy, tmp_path):
    out, progress = tune(needy / "net.onnx", f"--data={needy / 'data'}",
                         "--target=sqnr>=1", "--repairs=auto", "-o",
                         tmp_path / "t.yaml")
    assert "compiled 2 times" in out and "repaired" not in progress
