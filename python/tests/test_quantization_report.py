# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nacre quantize --report`: what 8-bit integers cost and save, layer by layer."""

import json
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper

import nacre
from nacre import builders, cli
from nacre.samples import write_tensor


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def network(path, batch=2):
    """A convolution whose weights no 8 bits hold, one that loses little, a product
    of two activations, and a classifier."""
    wide = random((8, 3, 3, 3), 1)
    wide[0] *= 1e4    # of one scale for all, nothing is left of the others
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c1"], "wide", pads=[1] * 4),
        helper.make_node("Tanh", ["c1"], ["t"], "tanh"),
        helper.make_node("Conv", ["t", "w2"], ["c2"], "narrow", pads=[1] * 4),
        helper.make_node("Clip", ["c2", "zero", "six"], ["r"], "clip"),
        helper.make_node("GlobalAveragePool", ["r"], ["g"], "pool"),
        helper.make_node("Flatten", ["g"], ["f"], "flatten"),
        helper.make_node("Gemm", ["f", "w3"], ["y"], "gemm", transB=1),
        helper.make_node("MatMul", ["y", "mix"], ["z"], "product")]
    onnx.save(builders.model(
        nodes, {"x": ("float32", [batch, 3, 8, 8]),
                "mix": ("float32", [10, 10])},
        {"y": ("float32", [batch, 10]), "z": ("float32", [batch, 10])},
        weights={"w1": wide, "w2": random((8, 8, 3, 3), 2) / 8,
                 "w3": random((10, 8), 3), "zero": np.float32(0),
                 "six": np.float32(6)}), str(path))


def write_samples(folder, count=6, batch=2):
    for i in range(count):
        place = folder / str(i)
        place.mkdir(parents=True)
        write_tensor(place / "input_0.pb", "x", random((batch, 3, 8, 8), 10 + i))
        write_tensor(place / "input_1.pb", "mix", random((10, 10), 20 + i))
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    network(folder / "net.onnx")
    write_samples(folder / "data")
    return folder


def quantize(folder, *options, name="small", model="net.onnx"):
    process = subprocess.run(
        [cli.tool(), "quantize", folder / model, "-o", folder / f"{name}.onnx",
         *options], text=True, capture_output=True)
    assert process.returncode == 0, process.stderr
    return process.stderr


@pytest.fixture(scope="module")
def report(files):
    summary = quantize(files, f"--data={files / 'data'}", "--per-tensor",
                       f"--report={files / 'report.json'}")
    return json.loads((files / "report.json").read_text()), summary


@pytest.fixture(scope="module")
def ranges(files, report):
    """The option for the ranges that were measured for the report."""
    return f"--ranges={files / 'small.ranges.yaml'}"


def by_name(entries, key="name"):
    return {entry[key]: entry for entry in entries}


def test_products_have_their_precision_and_the_reason(report):
    products = by_name(report[0]["products"], "node")
    assert {name: product["precision"] for name, product in products.items()} \
        == {"wide": "int8", "narrow": "int8", "gemm": "int8", "product": "f32"}
    assert products["product"]["why"] == \
        "its weights are no constants that are finite f32"
    assert products["narrow"]["macs"] == 2 * 8 * 8 * 8 * 8 * 9
    total = sum(product["macs"] for product in products.values())
    assert report[0]["macs"] == total
    assert report[0]["macs_quantized"] == total - products["product"]["macs"]
    assert report[0]["constant_bytes"] < report[0]["constant_bytes_before"] / 3


def test_spread_of_channels_tells_weights_that_8_bits_do_not_hold(report):
    products = by_name(report[0]["products"], "node")
    assert products["wide"]["channel_spread"] > 1e3
    assert products["narrow"]["channel_spread"] < 10


def test_worst_comes_first(report):
    decibels = [product["snr_db"] for product in report[0]["products"]
                if "snr_db" in product]
    assert decibels == sorted(decibels)
    values = [value["snr_db"] for value in report[0]["values"]
              if "snr_db" in value and not value["exact"]]
    assert values == sorted(values)


def test_values_have_ranges_scales_and_what_is_clipped(report):
    values = by_name(report[0]["values"])
    x, r, c1 = values["x"], values["r"], values["c1"]
    assert x["precision"] == "uint8" and c1["precision"] == "f32"
    low, high = x["range_used"]
    assert (high - low) / 255 == pytest.approx(x["scale"])
    assert round(-low / x["scale"]) == x["zero_point"]
    assert 0 <= x["clipped"] < 0.1
    assert 25 < x["own_snr_db"] < 60
    assert r["op"] == "Clip" and r["range_seen"][0] == 0
    # What carries elements on has the type of what it carries.
    assert values["f"]["precision"] == "uint8"


def test_noise_is_what_the_models_differ_by(files, report):
    sessions = [nacre.InferenceSession(str(files / name))
                for name in ("net.onnx", "small.onnx")]
    signal = noise = same = 0
    for i in range(6):
        feeds = {"x": random((2, 3, 8, 8), 10 + i),
                 "mix": random((10, 10), 20 + i)}
        a, b = (session.run(["y"], feeds)[0] for session in sessions)
        signal, noise = signal + (a ** 2).sum(), noise + ((a - b) ** 2).sum()
        same += (a.argmax(1) == b.argmax(1)).sum()
    output = by_name(report[0]["outputs"])["y"]
    assert output["snr_db"] == pytest.approx(10 * np.log10(signal / noise),
                                             abs=0.3)
    assert output["rows"] == 12 and output["rows_of_same_choice"] == same
    assert report[0]["samples"] == 6


def test_summary_names_the_worst(report):
    summary = report[1]
    assert "3 of 4 products, 99" in summary
    assert re.search(r"output 'y': -?[\d.]+ dB", summary)
    assert "worst values: '" in summary
    assert "f32: 'product' (MatMul): its weights are no constants" in summary


def test_page_is_whole_and_text_has_the_same_numbers(files, ranges):
    for form in "html", "txt":
        quantize(files, ranges,
                 f"--data={files / 'data'}", f"--report={files}/report.{form}",
                 name="other")
    page = (files / "report.html").read_text()
    assert not re.search(r"<script|src=|href=|https?:|@import|url\(", page)
    assert page.count("<svg") >= 5 and page.rstrip().endswith("</html>")
    text = (files / "report.txt").read_text()
    for name in "wide (Conv)", "product (MatMul)", "c1 (Conv)", "GlobalAverage":
        assert name in page and name in text


def test_without_data_a_report_has_what_ranges_tell(files, ranges):
    summary = quantize(files, ranges,
                       f"--report={files / 'plan.json'}", name="plan")
    report = json.loads((files / "plan.json").read_text())
    assert report["samples"] == 0 and report["outputs"] == []
    assert by_name(report["values"])["x"]["own_snr_db"] > 25
    assert "snr_db" not in by_name(report["values"])["x"]
    assert "worst values" not in summary


def test_values_of_a_run_may_be_kept_in_parts(files, ranges):
    """Each megabyte is a part, and some values are larger."""
    network(files / "large.onnx", batch=200)
    write_samples(files / "many", count=1, batch=200)
    reports = []
    for memory in 1024, 1:
        quantize(files, ranges,
                 f"--data={files / 'many'}", f"--memory={memory}",
                 f"--report={files / 'parts.json'}", model="large.onnx",
                 name="parts")
        reports.append(json.loads((files / "parts.json").read_text()))
    names = [[value["name"] for value in report["values"]
              if "snr_db" in value] for report in reports]
    assert sorted(names[0]) == sorted(names[1]) and len(names[0]) >= 8
    assert by_name(reports[0]["outputs"])["y"]["snr_db"] == pytest.approx(
        by_name(reports[1]["outputs"])["y"]["snr_db"], abs=0.3)


@pytest.mark.parametrize("option, kept", [
    ("--keep=Gemm", {"gemm"}), ("--keep-node=*ow", {"narrow"}),
    ("--only=Conv", {"gemm"}), ("--keep-first", {"wide"}),
    ("--keep=Conv,Gemm", {"wide", "narrow", "gemm"})])
def test_what_is_kept_stays_f32_and_says_so(files, ranges, option, kept):
    quantize(files, ranges, option,
             f"--report={files / 'kept.json'}", name="kept")
    products = json.loads((files / "kept.json").read_text())["products"]
    assert {product["node"] for product in products
            if product["precision"] == "f32"} == kept | {"product"}
    reasons = [product["why"] for product in products
               if product["node"] in kept]
    assert all("to " in reason for reason in reasons)


def test_model_that_gains_nothing_is_warned_of(files, ranges):
    summary = quantize(files, ranges,
                       "--keep-node=*", name="none")
    assert "warning: nothing of" in summary
    assert "'wide' computes floats, since nodes '*' are to stay f32, and 3 more" \
        in summary


def test_bad_reports_are_refused_before_anything_is_done(files, ranges):
    for option, message in (
            ("--report=x.pdf", "needs a file that ends with .html"),
            ("--keep-node=[", "is no pattern of nodes' names")):
        with pytest.raises(nacre.NacreError, match=message) as error:
            cli.nacre("quantize", files / "net.onnx", option, "-o",
                      files / "never.onnx",
                      ranges)
        assert error.value.code == cli.Exit.BAD_INPUT
        assert not (files / "never.onnx").exists()
