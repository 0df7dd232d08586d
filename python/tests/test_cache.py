# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder where compiled models stay from session to session."""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cache, cli

X = np.float32([1, -2, 3])


def chain(operator="Neg", size=3):
    return builders.chain([operator], [size])


def is_run(session):
    (y,) = session.run(None, {session.get_inputs()[0].name: X})
    np.testing.assert_array_equal(y, -X)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "nacre"


@pytest.fixture
def compiled(monkeypatch):
    """The models that were compiled since."""
    calls = []

    def counted(model, *arguments, **options):
        calls.append(model)
        return nacre.compile(model, *arguments, **options)

    monkeypatch.setattr("nacre.session.compile", counted)
    return calls


def libraries(folder):
    return sorted(folder.glob("*.so"))


def test_second_session_starts_no_compiler_and_takes_no_time(
        folder, tmp_path, monkeypatch):
    path = tmp_path / "model.onnx"
    onnx.save(chain(), str(path))
    is_run(nacre.InferenceSession(path))
    assert folder.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr("subprocess.Popen", None)
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        session = nacre.InferenceSession(path)
        seconds.append(time.perf_counter() - start)
    is_run(session)
    assert min(seconds) < 0.05


@pytest.mark.parametrize("off", ["option", "none", "variable"])
def test_cache_that_is_off_keeps_nothing(folder, monkeypatch, off):
    scratch = folder.parent / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    options = {"option": {"cache_dir": False}, "none": {"cache_dir": None},
               "variable": {}}[off]
    if off == "variable":
        monkeypatch.setenv("NACRE_CACHE_SIZE", "0")
    is_run(nacre.InferenceSession(chain(), **options))
    assert not folder.exists()
    assert not list(scratch.iterdir())


@pytest.mark.parametrize("text, size", [
    ("", 1 << 30), ("0", 0), ("700", 700), ("2k", 2048), ("500M", 500 << 20),
    ("3G", 3 << 30)])
def test_size_takes_units(monkeypatch, text, size):
    monkeypatch.setenv("NACRE_CACHE_SIZE", text)
    assert cache.bound() == size


def test_size_that_is_none_is_refused(folder, monkeypatch):
    monkeypatch.setenv("NACRE_CACHE_SIZE", "much")
    with pytest.raises(nacre.InvalidInput, match="found 'much'"):
        nacre.InferenceSession(chain())


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:99], lambda data: data[:-99],
    lambda data: data[:999] + bytes(len(data) - 1998) + data[-999:],
    lambda data: b"text" * 500], ids=["empty", "short", "cut", "zeros", "text"])
def test_damaged_library_is_compiled_again(folder, compiled, damage):
    # Another one each time: the loader keeps what it has loaded.
    model = chain(size=3)
    model.doc_string = str(time.time_ns())
    nacre.InferenceSession(model)
    (library,) = libraries(folder)
    whole = library.read_bytes()
    library.write_bytes(damage(whole))
    is_run(nacre.InferenceSession(model))
    assert len(compiled) == 2
    assert library.read_bytes()[:-16] == whole[:-16]
    is_run(nacre.InferenceSession(model))
    assert len(compiled) == 2


def test_files_that_a_model_consists_of_tell_it_apart(folder, tmp_path,
                                                      compiled):
    path = tmp_path / "model.onnx"
    model = builders.model([builders.node("Add", ["x", "w"], ["y"])],
                           {"x": ("float32", [3])}, {"y": ("float32", [3])},
                           weights={"w": X})
    onnx.save(model, str(path), save_as_external_data=True, location="weights",
              size_threshold=0)
    for weights in (X, X + 1, X + 1):
        (tmp_path / "weights").write_bytes(weights.tobytes())
        (y,) = nacre.InferenceSession(path).run(None, {"x": X})
        np.testing.assert_array_equal(y, X + weights)
    assert len(compiled) == 2


def test_files_untouched_for_a_while_are_not_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_SETTLED_NS", -1)
    file = tmp_path / "file"
    file.write_bytes(b"content")
    kept = cache.Cache(tmp_path)
    digest = kept.digest(file)
    assert kept.digest(file, b"would give another digest") == digest
    file.write_bytes(b"CONTENT")
    assert kept.digest(file) != digest


def test_options_and_descriptors_tell_libraries_apart(folder, tmp_path,
                                                      compiled):
    model = builders.model([builders.node("Mul", ["x", "f"], ["y"])],
                           {"x": ("float32", [3]), "f": ("float32", [])},
                           {"y": ("float32", [3])})
    for options in ({"values": {"f": 2}}, {"values": {"f": 3}},
                    {"values": {"f": 3}, "opt_level": 1},
                    {"values": {"f": 3}, "timeout": 60}):
        (y,) = nacre.InferenceSession(model, **options).run(None, {"x": X})
        np.testing.assert_array_equal(y, X * options["values"]["f"])
    assert len(compiled) == 3   # how long compiling may take changes nothing


def test_least_recently_used_goes_first_when_the_cache_is_full(
        folder, monkeypatch):
    sizes = [3, 4, 5]
    nacre.InferenceSession(chain(size=sizes[0]))
    (first,) = libraries(folder)
    nacre.InferenceSession(chain(size=sizes[1]))
    (second,) = set(libraries(folder)) - {first}
    nacre.InferenceSession(chain(size=sizes[0]))   # is used again
    bound = first.stat().st_size + second.stat().st_size + 2000
    monkeypatch.setenv("NACRE_CACHE_SIZE", str(bound))
    orphan = folder / ".new-orphan"
    orphan.touch()
    os.utime(orphan, (0, 0))
    nacre.InferenceSession(chain(size=sizes[2]))
    assert first.exists() and not second.exists()
    assert len(libraries(folder)) == 2 and not orphan.exists()


def test_model_beyond_the_bound_runs(folder, monkeypatch):
    monkeypatch.setenv("NACRE_CACHE_SIZE", "100")
    is_run(nacre.InferenceSession(chain()))
    assert not libraries(folder)


def test_folder_that_cannot_be_made_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    is_run(nacre.InferenceSession(chain()))
    with pytest.warns(UserWarning, match="cannot keep compiled models"):
        is_run(nacre.InferenceSession(chain(), cache_dir=tmp_path / "file/x"))


def test_folder_that_cannot_be_written_is_no_error(folder, monkeypatch):
    def refuse(self, path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cache.Cache, "_replacing", refuse)
    is_run(nacre.InferenceSession(chain()))
    assert not libraries(folder)


def test_folder_that_others_may_write_is_not_used(folder):
    folder.mkdir()
    folder.chmod(0o777)
    is_run(nacre.InferenceSession(chain()))
    assert not list(folder.iterdir())


def test_refusal_of_all_sizes_is_kept_too(folder, compiled):
    # An operator that has to know the size; the session compiles for a run's.
    model = builders.model([builders.node("Neg", ["x"], ["y"])],
                           {"x": ("float32", ["n"])}, {"y": ("float32", ["n"])})
    refused = nacre.session.CompileError("model", cli.NacreError(
        [], cli.Exit.UNSUPPORTED, "needs a size"))

    def refuse(source, out, **options):
        compiled.append(source)
        if not options["shapes"]:
            raise refused
        return nacre.compile(source, out, **options)

    nacre.session.compile, original = refuse, nacre.session.compile
    try:
        for _ in range(2):
            is_run(nacre.InferenceSession(model))
    finally:
        nacre.session.compile = original
    assert len(compiled) == 2   # one refused, one for three elements


def test_processes_share_the_cache(folder, tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(chain(), str(path))
    script = ("import sys; sys.path.insert(0, sys.argv[1]); import nacre, "
              "numpy; s = nacre.InferenceSession(sys.argv[2]); "
              "print(s.run(None, {s.get_inputs()[0].name: "
              "numpy.ones(3, 'f')})[0].sum())")
    processes = [subprocess.Popen(
        [sys.executable, "-c", script, str(cli.ROOT / "python"), str(path)],
        stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [p.communicate()[0] for p in processes] == ["-3.0\n"] * 2
    assert len(libraries(folder)) == 1
    assert not list(folder.glob(".new-*"))
