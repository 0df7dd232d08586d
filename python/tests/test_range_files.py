# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A range profile and the file of sums beside it, which rounding reads."""

import os
import re
import shutil
import subprocess

import numpy as np
import onnx
import pytest

from nacre import builders, cli

INT16 = "--activations=int16"
TARGET = "--target=sqnr>=20"


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A product, samples of few directions, and some of many, of which none
    tells anything of others; a profile with sums of the first."""
    folder = tmp_path_factory.mktemp("files")
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["y"], name="first")],
        {"x": ("float32", [32, 24])}, {"y": ("float32", [32, 8])},
        weights={"w": random((24, 8), 1) / 5}), str(folder / "net.onnx"))
    mixture = random((4, 24), 3)
    np.savez(folder / "few.npz", x=random((16, 32, 4), 10) @ mixture)
    np.savez(folder / "many.npz", x=random((128, 32, 24), 5))
    calibrate(folder, "few", folder / "r.yaml")
    assert (folder / "r.yaml.sums").exists()
    return folder


@pytest.fixture
def ranges(files, tmp_path):
    """That profile, and its sums."""
    for name in "r.yaml", "r.yaml.sums":
        shutil.copy(files / name, tmp_path / name)
    return tmp_path / "r.yaml"


def beside(path):
    return path.with_name(path.name + ".sums")


def run(*words, status=0, **options):
    """What it prints for the user."""
    process = subprocess.run([cli.tool(), *map(str, words)], text=True,
                             capture_output=True, check=False, **options)
    assert process.returncode == status, process.stderr
    return process.stderr


def calibrate(files, data, output, *options):
    return run("calibrate", files / "net.onnx", f"--data={files / data}.npz",
               INT16, "-o", output, *options)


def quantize(files, ranges, output, *options, status=0):
    return run("quantize", files / "net.onnx", f"--ranges={ranges}", INT16,
               "-o", output, *options, status=status)


def tune(files, ranges, output, *words, **options):
    return run("tune", files / "net.onnx", f"--ranges={ranges}", INT16, TARGET,
               f"--data={files / 'few.npz'}", "-o", output, *words, **options)


def test_profile_says_what_its_sums_are_and_gain(ranges):
    text = ranges.read_text()
    assert re.search(r"size: +%d\n" % beside(ranges).stat().st_size, text)
    assert re.search(r"digest: +'?[0-9a-f]{1,16}'?\n", text)
    assert re.search(r"name: +rounding\n +decibels: +\d+\.\d\n", text)


@pytest.mark.parametrize("damage", ["nan", "zero", "half", "other", "cut",
                                    "empty", "undescribed"])
def test_sums_that_are_not_the_profiles_are_refused(files, ranges, tmp_path,
                                                    damage):
    sums = beside(ranges)
    good = sums.read_bytes()
    half = len(good) // 2
    sums.write_bytes({
        "nan": b"\xff" * len(good), "zero": bytes(len(good)),
        "half": good[:half] + b"\xff" * (len(good) - half),
        "other": random(len(good) // 4, 0).tobytes(), "cut": good[:-4],
        "empty": b"", "undescribed": good}[damage])
    if damage == "undescribed":
        ranges.write_text(re.sub(r"\n +digest:.*", "", ranges.read_text()))
    for options in [], ["--rounding=hessian"]:
        said = quantize(files, ranges, tmp_path / "a.onnx", *options, status=3)
        assert f"'{sums}' is not what was measured with '{ranges}'" in said
        assert "nacre calibrate" in said and "--rounding=nearest" in said
    assert not (tmp_path / "a.onnx").exists()
    quantize(files, ranges, tmp_path / "a.onnx", "--rounding=nearest")


@pytest.mark.parametrize("name", ["t.yaml", "other/t.yaml"])
def test_tuned_profile_has_sums_of_its_own(files, ranges, tmp_path, name):
    """Also in the folder of the other one, whose sums the next calibration
    replaces."""
    (tmp_path / "other").mkdir()
    tuned = tmp_path / name
    tune(files, ranges, tuned)
    assert f"file: {tuned.name}.sums" in \
        re.sub(" +", " ", tuned.read_text())
    assert beside(tuned).read_bytes() == beside(ranges).read_bytes()
    calibrate(files, "many", ranges)
    assert not beside(ranges).exists()
    assert quantize(files, tuned, tmp_path / "a.onnx").count("warning") == 0


def test_profile_with_corrected_biases_has_sums_of_its_own(files, ranges,
                                                           tmp_path):
    quantize(files, ranges, tmp_path / "a.onnx", "--bias-correction=exact",
             f"--data={files / 'few.npz'}")
    assert (tmp_path / "a.ranges.yaml.sums").read_bytes() == \
        beside(ranges).read_bytes()


@pytest.mark.parametrize("options", [[], ["--rounding=nearest"],
                                     ["--calibrator=mse", "--rounding=nearest"]])
def test_calibration_without_sums_removes_those_of_the_last(files, ranges,
                                                            options):
    calibrate(files, "many", ranges, *options)
    assert "sums:" not in ranges.read_text()
    assert not beside(ranges).exists()


@pytest.mark.parametrize("text", ["file: mine\nsums: 3\n", None])
def test_calibration_leaves_files_that_no_profile_named(files, ranges, text):
    if text is None:
        text = ranges.read_text().replace("r.yaml.sums", "another.sums")
    ranges.write_text(text)
    calibrate(files, "many", ranges)
    assert beside(ranges).exists()


def test_profile_to_a_pipe_has_no_sums(files):
    read, write = os.pipe()
    said = run(
        "calibrate", files / "net.onnx", f"--data={files / 'few.npz'}", INT16,
        "-o", f"/dev/fd/{write}", pass_fds=[write])
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    assert said == "" and "range_profile" in text and "sums" not in text


def test_tuned_profile_on_standard_output_has_no_sums(files, ranges, tmp_path):
    said = tune(files, ranges, "-", cwd=tmp_path)
    assert f"the sums of '{ranges}' are left out" in said
    assert not list(tmp_path.glob("-*"))


@pytest.mark.parametrize("output", ["-", "/dev/null"])
def test_hessians_need_a_file_that_they_can_be_beside(files, tmp_path, output):
    said = run("calibrate", files / "net.onnx", f"--data={files / 'few.npz'}",
               "--hessians", "-o", output, status=3, cwd=tmp_path)
    assert f"cannot be beside '{output}': -o names a file" in said
    assert not list(tmp_path.iterdir())
    assert not os.path.exists("/dev/null.sums")


@pytest.mark.parametrize("command", ["quantize", "exact", "tune"])
@pytest.mark.parametrize("folder", ["", "other"])
def test_lost_sums_are_warned_of_once_and_left_out(files, ranges, tmp_path,
                                                   command, folder):
    beside(ranges).unlink()
    (tmp_path / "other").mkdir()
    output = tmp_path / folder / "a.onnx"
    if command == "tune":
        written = tmp_path / folder / "t.yaml"
        said = tune(files, ranges, written,
                    f"--report={tmp_path / 'report.txt'}")
    elif command == "exact":
        written = tmp_path / folder / "a.ranges.yaml"
        said = quantize(files, ranges, output, "--bias-correction=exact",
                        f"--data={files / 'few.npz'}")
    else:
        written = None
        said = quantize(files, ranges, output)
    assert re.findall("warning: .*", said) == [
        f"warning: there is no '{beside(ranges)}', which '{ranges}' names: "
        "--rounding is nearest"]
    if written:
        text = written.read_text()
        assert "sums" not in text and "rounding" not in text
        assert quantize(files, written, output).count("warning") == 0


@pytest.mark.parametrize("command", ["exact", "tune"])
def test_lost_sums_of_rounding_that_lost_are_warned_of(files, ranges, tmp_path,
                                                       command):
    """Who has asked for it has sums that others do not choose by."""
    ranges.write_text(re.sub(r"(name: +rounding\n +decibels: +)\S+", r"\g<1>-1.5",
                             ranges.read_text()))
    beside(ranges).unlink()
    if command == "tune":
        written = tmp_path / "t.yaml"
        said = tune(files, ranges, written)
    else:
        written = tmp_path / "a.ranges.yaml"
        said = quantize(files, ranges, tmp_path / "a.onnx",
                        "--bias-correction=exact", f"--data={files / 'few.npz'}")
    assert re.findall("warning: .*", said) == [
        f"warning: there is no '{beside(ranges)}', which '{ranges}' names: "
        f"'{written}' has no sums"]


def test_piped_ranges_for_other_integers_are_named_as_users_do(files, tmp_path):
    ranges = tmp_path / "r.yaml"
    calibrate(files, "many", ranges)
    with subprocess.Popen(["cat", ranges], stdout=subprocess.PIPE) as cat:
        said = run("quantize", files / "net.onnx", "--ranges=/dev/fd/0", "-o",
                   tmp_path / "a.onnx", stdin=cat.stdout)
    [warning] = re.findall("warning: .*", said)
    assert warning.startswith("warning: '/dev/fd/0' tried rounding for inputs")


def test_piped_ranges_have_no_sums_beside_them(files, ranges, tmp_path):
    with subprocess.Popen(["cat", ranges], stdout=subprocess.PIPE) as cat:
        said = run("quantize", files / "net.onnx", "--ranges=/dev/fd/0", INT16,
                   "-o", tmp_path / "a.onnx", stdin=cat.stdout)
    assert re.findall("warning: .*", said) == [
        "warning: '/dev/fd/0' is read as a pipe, beside which there is no "
        "'r.yaml.sums', which it names: --rounding is nearest"]
