# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples in NumPy's files for calibrate, quantize and tune."""

import numpy as np
import onnx
import pytest

import nacre
from nacre import cli
from nacre.samples import write_tensor
from test_quantization_report import network, random

COUNT = 4


def arrays():
    return {"x": np.stack([random((2, 3, 8, 8), 10 + i) for i in range(COUNT)]),
            "mix": np.stack([random((10, 10), 20 + i) for i in range(COUNT)])}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The model, and its ranges by folders of test data."""
    folder = tmp_path_factory.mktemp("data")
    network(folder / "net.onnx")
    for i in range(COUNT):
        (folder / "data" / str(i)).mkdir(parents=True)
        for j, (name, array) in enumerate(arrays().items()):
            write_tensor(folder / "data" / str(i) / f"input_{j}.pb", name,
                         array[i])
    cli.nacre("calibrate", folder / "net.onnx", f"--data={folder / 'data'}",
              "-o", folder / "r.yaml")
    return folder


def calibrate(files, place, tmp_path, *options, model=None):
    cli.nacre("calibrate", model or files / "net.onnx", f"--data={place}", "-o",
              tmp_path / "found.yaml", *options)
    return (tmp_path / "found.yaml").read_text()


def test_archive_has_the_samples_in_front(files, tmp_path):
    np.savez(tmp_path / "a.npz", **arrays())
    assert calibrate(files, tmp_path / "a.npz", tmp_path) == \
        (files / "r.yaml").read_text()


def test_archive_may_have_the_samples_in_the_batch(files, tmp_path):
    """The batch of x is 2; mix has none, and its first dimension is 10."""
    x = arrays()["x"].reshape(2 * COUNT, 3, 8, 8)
    np.savez(tmp_path / "a.npz", x=x, mix=arrays()["mix"])
    assert calibrate(files, tmp_path / "a.npz", tmp_path) == \
        (files / "r.yaml").read_text()
    model = onnx.load(str(files / "net.onnx"))
    for value in [model.graph.input[0], *model.graph.output]:
        value.type.tensor_type.shape.dim[0].dim_param = "n"
    onnx.save(model, str(tmp_path / "any.onnx"))
    np.savez(tmp_path / "b.npz", x=x, mix=np.repeat(arrays()["mix"], 2, 0))
    text = calibrate(files, tmp_path / "b.npz", tmp_path,
                     model=tmp_path / "any.onnx")
    assert "samples:         8" in text


def test_folder_of_arrays_is_sorted_by_number(files, tmp_path):
    (tmp_path / "arrays").mkdir()
    for i in range(COUNT):
        for name, array in arrays().items():
            np.save(tmp_path / "arrays" / f"{name}_{i * 7}.npy", array[i])
    assert calibrate(files, tmp_path / "arrays", tmp_path) == \
        (files / "r.yaml").read_text()
    text = calibrate(files, tmp_path / "arrays", tmp_path, "--samples=2")
    assert "samples:         2" in text


def test_places_of_several_kinds_add_up(files, tmp_path):
    np.savez(tmp_path / "a.npz", **arrays())
    text = calibrate(files, tmp_path / "a.npz", tmp_path,
                     f"--data={files / 'data'}")
    assert f"samples:         {2 * COUNT}" in text


def test_quantize_and_tune_take_them_too(files, tmp_path):
    np.savez(tmp_path / "a.npz", **arrays())
    for place, name in (files / "data", "a"), (tmp_path / "a.npz", "b"):
        cli.nacre("quantize", files / "net.onnx", f"--data={place}", "-o",
                  tmp_path / f"{name}.onnx", f"--report={tmp_path / name}.txt")
        cli.nacre("tune", files / "net.onnx", f"--data={place}",
                  "--target=sqnr>=-90", "-o", tmp_path / f"{name}.yaml")
    for end in "onnx", "txt", "yaml":
        assert ((tmp_path / f"a.{end}").read_bytes()
                == (tmp_path / f"b.{end}").read_bytes()), end


def write_archive(path, *, compressed=False, **changed):
    save = np.savez_compressed if compressed else np.savez
    save(path, **{**arrays(), **changed})


@pytest.mark.parametrize("archive, message", [
    (dict(compressed=True), "the archive is compressed; numpy.savez"),
    (dict(other=np.zeros(4)), "holds 'other', which is no input of the model; "
                              "it has 'x', 'mix'"),
    (dict(mix=arrays()["mix"][:3]), "another number of samples for 'mix'"),
    (dict(x=np.zeros((7, 3, 8, 8), np.float32)), "a multiple of the batch of 2"),
    (dict(x=np.float32(1)), "expected numbers, with the samples in front"),
    (dict(x=np.array(["a"] * 4)), "expected numbers"),
    (dict(x=np.zeros((4, 7, 7), np.float32)), "input 'x' needs")])
def test_archive_that_does_not_fit_is_refused(files, tmp_path, archive,
                                              message):
    write_archive(tmp_path / "a.npz", **archive)
    with pytest.raises(nacre.NacreError, match=message) as error:
        calibrate(files, tmp_path / "a.npz", tmp_path)
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (tmp_path / "found.yaml").exists()


def test_damaged_archives_are_refused(files, tmp_path):
    write_archive(tmp_path / "a.npz")
    whole = (tmp_path / "a.npz").read_bytes()
    for damaged in (b"", b"PK", whole[:-30], whole[-200:],
                    whole.replace(b"PK\1\2", b"PK\1\3"),
                    whole.replace(b"PK\3\4", b"PK\3\5"),
                    whole.replace(b"NUMPY", b"NUMPX")):
        (tmp_path / "b.npz").write_bytes(damaged)
        with pytest.raises(nacre.NacreError) as error:
            calibrate(files, tmp_path / "b.npz", tmp_path)
        assert error.value.code == cli.Exit.BAD_INPUT
    with pytest.raises(nacre.NacreError, match="cannot open the file"):
        calibrate(files, tmp_path / "none.npz", tmp_path)


def test_nothing_is_left_among_temporary_files(files, tmp_path, monkeypatch):
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    np.savez(tmp_path / "a.npz", **arrays())
    calibrate(files, tmp_path / "a.npz", tmp_path)
    with pytest.raises(nacre.NacreError):
        calibrate(files, tmp_path / "a.npz", tmp_path, "--bins=1")
    assert not list((tmp_path / "scratch").iterdir())
