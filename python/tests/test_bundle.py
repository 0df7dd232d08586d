# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles: code, weights and a header apart, for programs in C and C++."""

import subprocess
import zlib

import numpy as np
import onnx
import pytest

import nacre
from backends import run
from nacre import builders, cli, suite
from test_cross_targets import MACHINES, require
from test_names import NAMES, model as model_of_any_names

LLVM = "/usr/lib/llvm-22/bin"
DIGITS = cli.ROOT / "python" / "models" / "digits" / "digits.onnx"
NETWORKS = suite.find_tests(suite.models_folder())
# What a bundle's object may leave to others: C's, and libm's.
OTHERS = {"memcpy", "memset", "expf", "powf", "fmodf", "roundf"}
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
COMPILERS = {"c": [f"{LLVM}/clang", "-std=c99", *STRICT],
             "cpp": [f"{LLVM}/clang++", "-std=c++17", *STRICT]}

# Runs the model on image.bin, with weights that the program includes.
STATIC = """
#include "digits.h"
#include <stdio.h>

static const uint8_t weights[DIGITS_CONSTANT_MEM_SIZE]
    NACRE_MEM_ALIGN(DIGITS_MEM_ALIGN) = {
#include "digits.weights.txt"
};
static uint8_t placeholders[DIGITS_MUTABLE_MEM_SIZE]
    NACRE_MEM_ALIGN(DIGITS_MEM_ALIGN);
static uint8_t activations[DIGITS_ACTIVATIONS_MEM_SIZE]
    NACRE_MEM_ALIGN(DIGITS_MEM_ALIGN);

int main(void) {
  uint8_t *image = NACRE_GET_ADDR(placeholders, DIGITS_image);
  uint8_t *scores = NACRE_GET_ADDR(placeholders, DIGITS_scores);
  if (fread(image, DIGITS_image_BYTES, 1, stdin) != 1)
    return 100;
  if (digits(0, placeholders, activations) != 2 ||
      digits(weights, placeholders + 4, activations) != 2)
    return 101;
  int status = digits(weights, placeholders, activations);
  if (status != 0)
    return status;
  return fwrite(scores, DIGITS_scores_BYTES, 1, stdout) == 1 ? 0 : 102;
}
"""

# The same by the table, with weights that it reads.
DYNAMIC = """
#include "digits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *allocate(uint64_t bytes) {
  uint64_t alignment = digits_config.alignment;
  return (uint8_t *)aligned_alloc(
      alignment, (bytes + alignment - 1) / alignment * alignment);
}

static const struct nacre_bundle_symbol *find(const char *name) {
  for (uint64_t i = 0; i < digits_config.symbol_count; ++i)
    if (strcmp(digits_config.symbols[i].name, name) == 0)
      return &digits_config.symbols[i];
  abort();
}

int main(void) {
  uint8_t *weights = allocate(digits_config.constant_bytes);
  uint8_t *placeholders = allocate(digits_config.mutable_bytes);
  uint8_t *activations = allocate(digits_config.activation_bytes);
  FILE *file = fopen("digits.weights.bin", "rb");
  if (!file || fread(weights, digits_config.constant_bytes, 1, file) != 1)
    return 100;
  const struct nacre_bundle_symbol *image = find("image");
  const struct nacre_bundle_symbol *scores = find("scores");
  if (image->rank != 4 || image->dims[3] != 8 || image->elements != 64 ||
      strcmp(image->type, "float32") != 0)
    return 101;
  if (fread(placeholders + image->offset, image->bytes, 1, stdin) != 1)
    return 102;
  int status = digits(weights, placeholders, activations);
  if (status != 0)
    return status;
  return fwrite(placeholders + scores->offset, scores->bytes, 1, stdout) == 1
             ? 0 : 103;
}
"""

# What Glow's users have written.
GLOW = """
#include "digits.h"
#include <stdio.h>

GLOW_MEM_ALIGN(DIGITS_MEM_ALIGN)
uint8_t constantWeight[DIGITS_CONSTANT_MEM_SIZE] = {
#include "digits.weights.txt"
};
GLOW_MEM_ALIGN(DIGITS_MEM_ALIGN)
uint8_t mutableWeight[DIGITS_MUTABLE_MEM_SIZE];
GLOW_MEM_ALIGN(DIGITS_MEM_ALIGN)
uint8_t activations[DIGITS_ACTIVATIONS_MEM_SIZE];

int main(void) {
  const SymbolTableEntry *last =
      &digits_config.symbolTable[digits_config.numSymbols - 1];
  if (last->offset != DIGITS_scores || last->size != 10 || last->kind != 1 ||
      digits_config.constantWeightVarsMemSize != sizeof constantWeight)
    return 100;
  if (fread(GLOW_GET_ADDR(mutableWeight, DIGITS_image), 256, 1, stdin) != 1)
    return 101;
  int rc = digits(constantWeight, mutableWeight, activations);
  if (rc != GLOW_SUCCESS)
    return rc;
  return fwrite(GLOW_GET_ADDR(mutableWeight, DIGITS_scores), 40, 1, stdout) == 1
             ? 0 : 102;
}
"""

PROGRAMS = {"static": (STATIC, []),
            "dynamic": (DYNAMIC, ["--bundle-api=dynamic"]),
            "glow": (GLOW, ["--bundle-api=both", "--bundle-compat=glow"])}


IMAGE = np.random.default_rng(0).random((1, 1, 8, 8), np.float32)


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digits")
    return run(onnx.load(str(DIGITS)), {"image": IMAGE}, folder, "cpu")["scores"]


def refuse(*arguments):
    """What `nacre ARGUMENTS` fails with: its status and its message."""
    with pytest.raises(nacre.NacreError) as error:
        cli.nacre(*arguments)
    return error.value.code, error.value.message


def write_bundle(folder, *options, path=DIGITS):
    return cli.nacre("compile", path, "--emit=bundle", "-o", folder / "digits",
                     *options)


def build_and_run(folder, source, language, image):
    """What a program beside the bundle in a folder of its name says of an image."""
    (folder / f"main.{language}").write_text(source)
    subprocess.run([*COMPILERS[language], folder / f"main.{language}",
                    *(["-D_ISOC11_SOURCE"] if language == "c" else []),
                    folder / f"{folder.name}.o", "-lm", "-o", folder / "main"],
                   check=True)
    return subprocess.run([folder / "main"], input=image.tobytes(), cwd=folder,
                          stdout=subprocess.PIPE, check=True).stdout


@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize("api", PROGRAMS)
def test_program_with_bundle_computes_what_library_does(tmp_path, scores, api,
                                                        language):
    source, options = PROGRAMS[api]
    write_bundle(tmp_path, *options)
    output = build_and_run(tmp_path / "digits", source, language, IMAGE)
    assert output == scores.tobytes()


@pytest.mark.skipif("mnist8" not in NETWORKS,
                    reason="NACRE_MODELS has no 'mnist8'")
@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize("api", PROGRAMS)
def test_program_with_bundle_of_a_network_computes_what_library_does(
        tmp_path, api, language):
    """The programs for digits, with the names and sizes of another model."""
    source, options = PROGRAMS[api]
    for old, new in (("digits", "mnist8"), ("DIGITS", "MNIST8"),
                     ("_image", "_Input3"), ("_scores", "_Plus214_Output_0"),
                     ('"image"', '"Input3"'), ('"scores"', '"Plus214_Output_0"'),
                     ("256", "28 * 28 * 4"), ("dims[3] != 8", "dims[3] != 28"),
                     ("elements != 64", "elements != 28 * 28")):
        source = source.replace(old, new)
    path, folder = NETWORKS["mnist8"] / "model.onnx", tmp_path / "mnist8"
    image = np.random.default_rng(0).random((1, 1, 28, 28), np.float32)
    expected = nacre.InferenceSession(str(path)).run(None, {"Input3": image})[0]
    cli.nacre("compile", path, "--emit=bundle", "-o", folder, *options)
    assert build_and_run(folder, source, language, image) == expected.tobytes()


@pytest.mark.parametrize("machine", MACHINES)
def test_bundle_for_another_machine_runs_there(tmp_path, scores, machine):
    require(machine)
    write_bundle(tmp_path, f"--vpu-arch={machine}")
    folder = tmp_path / "digits"
    (folder / "main.c").write_text(STATIC)
    subprocess.run([f"{MACHINES[machine][0]}-gcc", "-std=c99", *STRICT,
                    "-static", folder / "main.c", folder / "digits.o", "-lm",
                    "-o", folder / "main"], check=True)
    output = subprocess.run([MACHINES[machine][1], folder / "main"],
                            input=IMAGE.tobytes(), stdout=subprocess.PIPE,
                            check=True).stdout
    np.testing.assert_allclose(np.frombuffer(output, np.float32), scores[0],
                               rtol=1e-4, atol=1e-6)


def test_object_needs_little_and_keeps_nothing(tmp_path):
    write_bundle(tmp_path)
    file = tmp_path / "digits" / "digits.o"
    symbols = subprocess.run([f"{LLVM}/llvm-nm", "--undefined-only", "-j", file],
                             stdout=subprocess.PIPE, text=True, check=True)
    assert set(symbols.stdout.split()) <= OTHERS
    sections = subprocess.run([f"{LLVM}/llvm-readelf", "-SW", file],
                              stdout=subprocess.PIPE, text=True,
                              check=True).stdout
    assert ".text" in sections
    for name in (".init_array", ".ctors", ".bss", ".data ", ".tbss"):
        assert name not in sections


@pytest.mark.parametrize("architecture, conversion", [
    ("riscv64", "__extendhfsf2"), ("x86-64", "__extendhfsf2"),
    ("armv7", "__gnu_h2f_ieee")])
def test_object_has_the_conversions_of_float16_that_it_needs(
        tmp_path, architecture, conversion):
    path = tmp_path / "half.onnx"
    onnx.save(builders.model([builders.node("Relu", ["x"], ["y"])],
                             {"x": ("float16", [7])}, {"y": ("float16", [7])}),
              str(path))
    write_bundle(tmp_path, f"--vpu-arch={architecture}", path=path)
    symbols = subprocess.run([f"{LLVM}/llvm-nm", "--undefined-only", "-j",
                              tmp_path / "digits" / "digits.o"],
                             stdout=subprocess.PIPE, text=True, check=True)
    assert set(symbols.stdout.split()) <= OTHERS
    defined = subprocess.run([f"{LLVM}/llvm-nm", "--defined-only", "-j",
                              tmp_path / "digits" / "digits.o"],
                             stdout=subprocess.PIPE, text=True, check=True)
    assert conversion in defined.stdout.split()


def test_weights_are_the_same_as_text(tmp_path):
    write_bundle(tmp_path)
    folder = tmp_path / "digits"
    data = (folder / "digits.weights.bin").read_bytes()
    text = (folder / "digits.weights.txt").read_text()
    assert bytes(int(byte, 16) for byte in text.split(",")[:-1]) == data
    header = (folder / "digits.h").read_text()
    assert f"CONSTANT_MEM_SIZE {len(data)}\n" in header
    assert f"WEIGHTS_CRC32 0x{zlib.crc32(data):x}u\n" in header


def test_weights_without_text_say_how_to_have_it(tmp_path):
    write_bundle(tmp_path, "--weights-text=never")
    text = (tmp_path / "digits" / "digits.weights.txt").read_text()
    assert text.startswith("#error ") and "--weights-text=always" in text


def test_entry_has_the_name_that_is_asked_for(tmp_path):
    write_bundle(tmp_path, "--name=net", "--entry=infer")
    folder = tmp_path / "digits"
    assert "int infer(const uint8_t *" in (folder / "net.h").read_text()
    symbols = subprocess.run([f"{LLVM}/llvm-nm", "-gj", "--defined-only",
                              folder / "net.o"], stdout=subprocess.PIPE,
                             text=True, check=True).stdout
    assert symbols.split() == ["infer"]


def test_state_is_one_placeholder(tmp_path):
    path = tmp_path / "sum.onnx"
    onnx.save(builders.model([builders.node("Add", ["x", "past"], ["present"])],
                             {"x": ("float32", [4]), "past": ("float32", [4])},
                             {"present": ("float32", [4])}), str(path))
    write_bundle(tmp_path, "--state=past:present", path=path)
    header = (tmp_path / "digits" / "digits.h").read_text()
    assert "MUTABLE_MEM_SIZE 128\n" in header
    assert "DIGITS_past 64\n" in header and "DIGITS_present" not in header


@pytest.mark.parametrize("language", COMPILERS)
def test_header_of_any_names_compiles(tmp_path, language):
    path = tmp_path / "names.onnx"
    onnx.save(model_of_any_names(), str(path))
    write_bundle(tmp_path, "-O0", "--bundle-api=both", path=path)
    program = tmp_path / f"main.{language}"
    program.write_text('#include "digits/digits.h"\n'
                       '#include "digits/digits.h"\n'
                       "int main(void) { return DIGITS_MEM_ALIGN; }\n")
    subprocess.run([*COMPILERS[language], "-c", program, "-o",
                    tmp_path / "main.o"], check=True)
    header = (tmp_path / "digits" / "digits.h").read_text()
    assert header.count("_ELEMENTS ") == 3 * len(NAMES)


def test_places_of_names_that_meet_differ(tmp_path):
    path = tmp_path / "names.onnx"
    names = ["a", "a_BYTES", "MEM_ALIGN"]
    onnx.save(builders.model([builders.node("Sum", names, ["a_ELEMENTS"])],
                             {name: ("float32", [1]) for name in names},
                             {"a_ELEMENTS": ("float32", [1])}), str(path))
    write_bundle(tmp_path, path=path)
    header = (tmp_path / "digits" / "digits.h").read_text()
    macros = [line.split()[1] for line in header.splitlines()
              if line.startswith("#define DIGITS_")]
    assert len(macros) == len(set(macros)) == 6 + 3 * 4


@pytest.mark.parametrize("options, status, message", [
    (["--bundle-api=none"], 3, "--bundle-api needs static or dynamic or both"),
    (["--weights-text=some"], 3, "--weights-text needs auto or always or never"),
    (["--entry=1x"], 3, "--entry needs the name of a C function"),
    (["--entry=main"], 3, "--entry needs the name of a C function"),
    (["--name=main"], 3, "cannot be called 'main'"),
    (["--vpu-arch=x86-64-v3,x86-64"], 2, "a bundle for several architectures")])
def test_bad_option_is_refused(tmp_path, options, status, message):
    found, text = refuse("compile", DIGITS, "--emit=bundle", "-o",
                         tmp_path / "digits", *options)
    assert found == status and message in text
    assert not (tmp_path / "digits").exists()


def test_option_of_bundles_is_refused_for_others(tmp_path):
    status, text = refuse("compile", DIGITS, "--bundle-api=both", "-o",
                          tmp_path / "digits.so")
    assert status == 3 and "--bundle-api is for --emit=bundle" in text


def test_model_of_unknown_size_is_refused(tmp_path):
    path = tmp_path / "any.onnx"
    onnx.save(builders.model([builders.node("Relu", ["x"], ["y"])],
                             {"x": ("float32", ["n", 4])},
                             {"y": ("float32", ["n", 4])}), str(path))
    status, text = refuse("compile", path, "--emit=bundle", "-o",
                          tmp_path / "any")
    assert status == 2 and "--shape" in text
    assert "'x', which has no fixed place" in text
    assert not (tmp_path / "any").exists()


def test_threads_are_refused_where_work_is_shared(tmp_path):
    path = tmp_path / "wide.onnx"
    x = np.ones((512, 512), np.float32)
    onnx.save(builders.model([builders.node("MatMul", ["x", "w"], ["y"])],
                             {"x": ("float32", [512, 512])},
                             {"y": ("float32", [512, 512])}, weights={"w": x}),
              str(path))
    status, text = refuse("compile", path, "--emit=bundle", "--threads=2", "-o",
                          tmp_path / "wide")
    assert status == 2 and "leave out --threads" in text


def test_file_in_place_of_folder_is_no_place(tmp_path):
    (tmp_path / "digits").write_text("")
    status, text = refuse("compile", DIGITS, "--emit=bundle", "-o",
                          tmp_path / "digits")
    assert status == 3 and "cannot make the folder" in text
