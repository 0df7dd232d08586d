# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nacre classify`: pictures through a classifier."""

import re
import subprocess

import numpy as np
import onnx
import pytest

import nacre
import pictures
from nacre import builders, cli, tolerances

DIGITS = cli.ROOT / "python" / "models" / "digits"


def classify(*arguments, text=None):
    """Standard output of `nacre classify ARGUMENTS` and its status."""
    result = subprocess.run([cli.tool(), "classify", *map(str, arguments)],
                            input=text, capture_output=True, text=True,
                            timeout=120)
    return result.stdout, result.returncode, result.stderr


def refuse(*arguments):
    """The message of a refusal."""
    output, status, message = classify(*arguments)
    assert status == cli.Exit.BAD_INPUT, (output, message)
    assert message.startswith("nacre: error: ")
    return message


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """The demo's images as PNG, their classes, and the library."""
    folder = tmp_path_factory.mktemp("digits")
    (folder / "png").mkdir()
    images = np.load(DIGITS / "test_images.npy")
    for i, image in enumerate(images):
        (folder / "png" / f"{i}.png").write_bytes(
            pictures.png(np.round(image[0] * 255).astype(np.uint8)))
    labels = np.load(DIGITS / "test_labels.npy")
    (folder / "expected.txt").write_text("\n".join(map(str, labels)) + "\n")
    cli.nacre("compile", DIGITS / "digits.onnx", "-o", folder / "digits.so")
    return folder


def demo_accuracy():
    """How many of the demo's digits the model recognises."""
    from nacre.session import InferenceSession
    session = InferenceSession(str(DIGITS / "digits.onnx"))
    images = np.load(DIGITS / "test_images.npy")
    answers = [session.run(None, {"image": image[None]})[0].argmax()
               for image in images]
    return int((np.array(answers) == np.load(DIGITS / "test_labels.npy")).sum())


@pytest.mark.parametrize("model", ["onnx", "so"])
def test_digits_as_png_are_recognised_as_in_the_demo(digits, model):
    path = (DIGITS if model == "onnx" else digits) / f"digits.{model}"
    output, status, message = classify(
        path, f"--images={digits / 'png'}",
        f"--expected={digits / 'expected.txt'}", "--min-accuracy=0.9")
    assert status == 0, message
    lines = output.splitlines()
    right = demo_accuracy()
    assert len(lines) == 361
    assert lines[-1].startswith(
        f"top-1 {100 * right / 360:.2f} % ({right} of 360), top-5 ")
    # In the order of their numbers.
    assert re.fullmatch(r".*/10\.png: \d \S+; (right|wrong), expected \d",
                        lines[10])


def test_small_accuracy_is_a_difference(digits):
    (digits / "wrong.txt").write_text("10\n" * 360)
    _, status, _ = classify(
        DIGITS / "digits.onnx", f"--images={digits / 'png'}",
        f"--expected={digits / 'wrong.txt'}", "--min-accuracy=0.1")
    assert status == cli.Exit.DIFFERS


def test_names_come_from_arguments_lists_and_standard_input(digits):
    files = [digits / "png" / f"{i}.png" for i in range(3)]
    expected, status, _ = classify(digits / "digits.so", *files)
    assert status == 0 and expected.count("\n") == 3
    (digits / "list.txt").write_text("\n".join(map(str, files)) + "\n\n")
    assert classify(digits / "digits.so",
                    f"--list={digits / 'list.txt'}")[0] == expected
    text = "\n".join(map(str, files[1:])) + "\n"
    assert classify(digits / "digits.so", files[0], "-", text=text)[0] == expected


def test_labels_softmax_and_more_classes(digits):
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven",
             "eight", "the nine"]
    (digits / "labels.txt").write_text("\n".join(names))
    (digits / "by-name.txt").write_text(
        "\n".join(f"{i}.png {names[label]}" for i, label in
                  enumerate(np.load(DIGITS / "test_labels.npy"))))
    output, status, message = classify(
        digits / "digits.so", digits / "png" / "7.png", "--topk=3", "--softmax",
        f"--labels={digits / 'labels.txt'}",
        f"--expected={digits / 'by-name.txt'}")
    assert status == 0, message
    found = re.match(r".*/7\.png: (\d) (.*?) ([\d.e-]+), (\d) (.*?) ([\d.e-]+), "
                     r"(\d) (.*?) ([\d.e-]+); right, expected (\d)\n", output)
    assert found, output
    for number, name in ((1, 2), (4, 5), (7, 8)):
        assert names[int(found[number])] == found[name]
    shares = [float(found[i]) for i in (3, 6, 9)]
    assert shares == sorted(shares, reverse=True) and 0.9 < sum(shares) < 1.001


def test_label_offset_skips_first_classes(digits):
    plain = classify(digits / "digits.so", digits / "png" / "0.png")[0]
    moved = classify(digits / "digits.so", digits / "png" / "0.png",
                     "--label-offset=1")[0]
    number = int(plain.split(": ")[1].split()[0])
    assert moved == plain.replace(f": {number} ", f": {number - 1} ")


def test_repeat_tells_the_time(digits):
    output, status, _ = classify(digits / "digits.so", digits / "png" / "0.png",
                                 "--repeat=5")
    assert status == 0
    assert re.search(r"^median [\d.]+ ms a picture, min [\d.]+ ms$", output,
                     re.MULTILINE)


def show(folder, shape, dtype="float32", name="show"):
    """A model whose scores are the numbers that it gets."""
    kinds = {"float32": 1, "uint8": 2, "int8": 3, "float16": 10}
    nodes = [builders.node("Cast", ["x"], ["f"], to=1),
             builders.node("Flatten", ["f"], ["y"])]
    assert dtype in kinds
    path = folder / f"{name}.onnx"
    onnx.save(builders.model(nodes, {"x": (dtype, shape)},
                             {"y": ("float32", [shape[0], None])}), str(path))
    return path


def numbers(model, *arguments, count):
    """All numbers that `show` got, in their order."""
    output, status, message = classify(model, *arguments, f"--topk={count}")
    assert status == 0, message
    result = []
    for line in output.splitlines():
        scores = dict(pair.split() for pair in line.split(": ")[1].split(", "))
        result.append([float(scores[str(i)]) for i in range(count)])
    return np.array(result)


COLORS = np.array([[[0, 51, 255], [102, 204, 153]]], np.uint8)  # 1 x 2 x 3
PLANES = COLORS.transpose(2, 0, 1).ravel().astype(np.float64)


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "colors.png"
    path.write_bytes(pictures.png(COLORS))
    return path


@pytest.mark.parametrize("options, expected", [
    ([], PLANES / 255),
    (["--range=neg1to1"], PLANES / 127.5 - 1),
    (["--range=0to255"], PLANES),
    (["--range=neg128to127"], PLANES - 128),
    (["--order=bgr"], PLANES.reshape(3, 2)[::-1].ravel() / 255),
    (["--mean=0.5", "--std=0.25"], (PLANES / 255 - 0.5) / 0.25),
    (["--mean=0.1,0.2,0.3", "--std=1,2,4"],
     ((PLANES.reshape(3, 2) / 255 - [[0.1], [0.2], [0.3]])
      / [[1], [2], [4]]).ravel())])
def test_options_decide_numbers(tmp_path, picture, options, expected):
    model = show(tmp_path, [1, 3, 1, 2])
    np.testing.assert_allclose(numbers(model, picture, *options, count=6)[0],
                               expected, **tolerances.PRINTED)


def test_layout_follows_the_shape(tmp_path, picture):
    last = show(tmp_path, [1, 1, 2, 3])
    # Either could be that of channels.
    assert "1 or 3" not in classify(last, picture)[2]
    np.testing.assert_allclose(
        numbers(last, picture, "--layout=nhwc", count=6)[0],
        COLORS.ravel() / 255, **tolerances.PRINTED)
    clear = show(tmp_path, [1, 2, 4, 3], name="clear")
    assert numbers(clear, picture, count=24).shape == (1, 24)


@pytest.mark.parametrize("dtype, option, expected", [
    ("uint8", "--range=0to255", PLANES), ("float16", "--range=0to255", PLANES),
    ("int8", "--range=neg128to127", PLANES - 128)])
def test_element_types(tmp_path, picture, dtype, option, expected):
    model = show(tmp_path, [1, 3, 1, 2], dtype)
    np.testing.assert_allclose(numbers(model, picture, option, count=6)[0],
                               expected)


def test_files_of_every_kind_are_the_same(tmp_path, picture):
    model = show(tmp_path, [1, 3, 1, 2])
    expected = numbers(model, picture, count=6)
    files = {"rgba.png": pictures.png(np.dstack([COLORS, COLORS[..., 0]])),
             "deep.png": pictures.png(COLORS.astype(np.uint16) * 257),
             "a.ppm": pictures.pnm(COLORS), "b.pnm": pictures.plain_pnm(COLORS),
             "c.ppm": pictures.pnm(COLORS.astype(int) * 257, 65535)}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    np.save(tmp_path / "d.npy", COLORS)
    np.save(tmp_path / "e.npy",
            PLANES.reshape(3, 1, 2).astype(np.float32))
    for name in [*files, "d.npy", "e.npy"]:
        np.testing.assert_allclose(numbers(model, tmp_path / name, count=6),
                                   expected, **tolerances.PRINTED)


def test_grey_and_colors_become_each_other(tmp_path, picture):
    grey = show(tmp_path, [1, 1, 1, 2])
    np.testing.assert_allclose(
        numbers(grey, picture, count=2)[0],
        COLORS.reshape(2, 3) @ [0.299, 0.587, 0.114] / 255,
        **tolerances.PRINTED)
    (tmp_path / "grey.pgm").write_bytes(pictures.pnm(COLORS[..., 0]))
    color = show(tmp_path, [1, 3, 1, 2], name="color")
    np.testing.assert_allclose(
        numbers(color, tmp_path / "grey.pgm", count=6)[0],
        np.tile(COLORS[..., 0].ravel(), 3) / 255, **tolerances.PRINTED)


def test_resize_averages_and_interpolates(tmp_path):
    model = show(tmp_path, [1, 1, 2, 2])
    (tmp_path / "large.pgm").write_bytes(
        pictures.pnm(np.kron([[0, 100], [200, 50]], np.ones((8, 8)))))
    found = numbers(model, tmp_path / "large.pgm", "--range=0to255", count=4)[0]
    np.testing.assert_allclose(found, [21.9, 90.6, 165.6, 71.9],
                               **tolerances.SHRUNK_PICTURE)
    assert abs(found.mean() - 87.5) < 1
    wide = show(tmp_path, [1, 1, 1, 4], name="wide")
    (tmp_path / "small.pgm").write_bytes(pictures.pnm(np.array([[0, 100]])))
    np.testing.assert_allclose(
        numbers(wide, tmp_path / "small.pgm", "--range=0to255", count=4)[0],
        [0, 25, 75, 100])


def test_open_sizes_are_those_of_batch_and_first_picture(tmp_path):
    model = show(tmp_path, ["N", 1, "H", "W"])
    files = []
    for i in range(3):
        files.append(tmp_path / f"{i}.pgm")
        files[-1].write_bytes(pictures.pnm(np.full((2, 3), 10 * i)))
    one = numbers(model, *files, "--range=0to255", count=6)
    np.testing.assert_allclose(one, np.repeat([[0], [10], [20]], 6, 1))
    # The last batch has one picture.
    two = numbers(model, *files, "--range=0to255", "--batch=2", count=6)
    np.testing.assert_array_equal(one, two)


def test_other_inputs_are_given(tmp_path, picture):
    model = builders.model(
        [builders.node("Flatten", ["x"], ["f"]),
         builders.node("Mul", ["f", "k"], ["y"])],
        {"k": ("float32", [1]), "x": ("float32", [1, 3, 1, 2])},
        {"y": ("float32", [1, 6])})
    onnx.save(model, str(tmp_path / "two.onnx"))
    np.save(tmp_path / "k.npy", np.array([2], np.float32))
    np.testing.assert_allclose(
        numbers(tmp_path / "two.onnx", picture, "--range=0to255",
                f"--input=k={tmp_path / 'k.npy'}", count=6)[0], PLANES * 2)
    assert "expected one input for pictures" in refuse(tmp_path / "two.onnx",
                                                       picture)


def test_damaged_pictures_are_refused(tmp_path, digits):
    whole = (digits / "png" / "0.png").read_bytes()
    for length in (4, 20, len(whole) - 20, len(whole) - 1):
        (tmp_path / "cut.png").write_bytes(whole[:length])
        message = refuse(digits / "digits.so", tmp_path / "cut.png")
        assert "cut.png: not a whole PNG file: " in message
    (tmp_path / "bent.png").write_bytes(whole[:45] + b"!!!" + whole[48:])
    assert "not a whole PNG file" in refuse(digits / "digits.so",
                                            tmp_path / "bent.png")
    for text, reason in ((b"P5 8 8 255\n123", "64 bytes of pixels, found 3"),
                         (b"P5 8 8 0\n", "a largest number up to 65535"),
                         (b"P5 99999999 99999999 255\n", "bytes of pixels"),
                         (b"P2 2 2 255\n1 2 3 x x x x", "found fewer"),
                         (b"P5 0 8 255\n", "no pixels"),
                         (b"GIF89a", "expected a PNG, JPEG, PPM or PGM file"),
                         (b"", "expected a PNG, JPEG, PPM or PGM file")):
        (tmp_path / "bad.pgm").write_bytes(text)
        assert reason in refuse(digits / "digits.so", tmp_path / "bad.pgm")
    np.save(tmp_path / "bad.npy", np.zeros((2, 3, 4, 5)))
    assert "expected numbers of height x width" in refuse(
        digits / "digits.so", tmp_path / "bad.npy")


# Of 8 x 8 pixels of 180, as libjpeg writes it.
JPEG = (
    "ffd8ffe000104a46494600010100000100010000ffdb004300100b0c0e0c0a100e0d"
    "0e1211101318281a181616183123251d283a333d3c3933383740485c4e4044574537"
    "38506d51575f626768673e4d71797064785c656763ffc0000b080008000801011100"
    "ffc40014000100000000000000000000000000000005ffc400141001000000000000"
    "00000000000000000000ffda0008010100003f0069ffd9")


def test_truncated_jpeg_is_refused_and_a_whole_one_read(tmp_path):
    """A grey square of 8 x 8, one block."""
    whole = bytes.fromhex(JPEG)
    (tmp_path / "grey.jpg").write_bytes(whole)
    model = show(tmp_path, [1, 1, 8, 8])
    found = numbers(model, tmp_path / "grey.jpg", "--range=0to255", count=64)
    np.testing.assert_allclose(found, 180, **tolerances.JPEG_PIXELS)
    for length in (2, 100, len(whole) - 3):
        (tmp_path / "cut.jpg").write_bytes(whole[:length])
        assert "cut.jpg: not a whole JPEG file: " in refuse(
            model, tmp_path / "cut.jpg")


@pytest.mark.parametrize("arguments, message", [
    (["absent.png"], "absent.png: cannot open the file"),
    (["--images=absent"], "no such folder of pictures: 'absent'"),
    (["--list=absent.txt"], "cannot read 'absent.txt'"),
    ([], "classify needs pictures"),
    (["PNG", "--labels=absent.txt"], "cannot read 'absent.txt'"),
    (["PNG", "--expected=absent.txt"], "cannot read 'absent.txt'"),
    (["PNG", "--min-accuracy=0.5"], "--min-accuracy needs --expected"),
    (["PNG", "--resize=cubic"], "--resize needs bilinear or none"),
    (["PNG", "--range=0to2"], "--range needs 0to1 or neg1to1 or 0to255"),
    (["PNG", "--mean=a"], "--mean needs a number, or one for each channel"),
    (["PNG", "--std=0"], "none of them 0, found '0'"),
    (["PNG", "--mean=1,2"], "1 channels, for which there are 2 means"),
    (["PNG", "--batch=2"], "the model takes 1 pictures at a time"),
    (["PNG", "--topk=1.5"], "--topk needs a whole number")])
def test_bad_arguments_are_refused(digits, tmp_path, monkeypatch, arguments,
                                   message):
    monkeypatch.chdir(tmp_path)
    words = [digits / "png" / "0.png" if word == "PNG" else word
             for word in arguments]
    assert message in refuse(digits / "digits.so", *words)


def test_wrong_size_is_refused_where_it_must_be_right(digits, tmp_path):
    (tmp_path / "large.pgm").write_bytes(pictures.pnm(np.zeros((16, 9))))
    assert ("large.pgm: the model takes 8 x 8 pixels, found 9 x 16"
            in refuse(digits / "digits.so", tmp_path / "large.pgm",
                      "--resize=none"))


def test_bad_files_of_classes_are_refused(digits, tmp_path):
    for text, reason in (("cat\n", "expected a class, or a picture's name"),
                         ("1\n0.png 2\n", "bad.txt:2: expected a class, found"),
                         ("0.png 1\n2\n", "expected a picture's name and its "
                                          "class, found '2'"),
                         ("1.png 2\n", "does not say the class of")):
        (tmp_path / "bad.txt").write_text(text)
        assert reason in refuse(digits / "digits.so", digits / "png" / "0.png",
                                f"--expected={tmp_path / 'bad.txt'}")


def test_model_without_pictures_is_refused(tmp_path, picture):
    onnx.save(builders.chain(["Relu"], [4]), str(tmp_path / "net.onnx"))
    assert "expected one input for pictures" in refuse(tmp_path / "net.onnx",
                                                       picture)
    five = show(tmp_path, [1, 5, 2, 7], name="five")
    assert "--layout says it" in refuse(five, picture)


def test_calibration_takes_a_folder_of_pictures(digits, tmp_path):
    """As from data sets of the same numbers."""
    few = tmp_path / "few"
    few.mkdir()
    for i in range(8):
        (few / f"{i}.png").write_bytes(
            (digits / "png" / f"{i}.png").read_bytes())
        pixels = np.round(np.load(DIGITS / "test_images.npy")[i] * 255)
        folder = tmp_path / "sets" / str(i)
        folder.mkdir(parents=True)
        tensor = onnx.numpy_helper.from_array(
            (pixels[None] / 255).astype(np.float32), "image")
        (folder / "input_0.pb").write_bytes(tensor.SerializeToString())
    for source in ("few", "sets"):
        cli.nacre("calibrate", DIGITS / "digits.onnx",
                  f"--data={tmp_path / source}", "-o",
                  tmp_path / f"{source}.yaml")
    ranges = [re.findall(r"(?:name|count):\s+\S+",
                         (tmp_path / f"{source}.yaml").read_text())
              for source in ("few", "sets")]
    assert ranges[0] == ranges[1] and ranges[0]
    cli.nacre("quantize", DIGITS / "digits.onnx", f"--data={few}", "-o",
              tmp_path / "small.onnx")
    output, status, message = classify(
        tmp_path / "small.onnx", f"--images={digits / 'png'}",
        f"--expected={digits / 'expected.txt'}", "--min-accuracy=0.9")
    assert status == 0, output + message
    with pytest.raises(nacre.NacreError, match="expected tensors or pictures"):
        cli.nacre("calibrate", DIGITS / "digits.onnx", f"--data={few}",
                  f"--data={tmp_path / 'sets'}")
