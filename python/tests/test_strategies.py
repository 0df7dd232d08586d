# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--strategies`: whatever a person decides about an op, its results stay."""

import json
import random
import re

import numpy as np
import onnx
import pytest

from backends import run
from nacre import builders, cli, tolerances

SIZE = 24


def bottleneck():
    """A network of what strategies are about: padding, 1×1 convolutions around
    a depthwise one, a 3×3 one, a pool, and a result in the model's order."""
    rng = np.random.default_rng(3)

    def weights(*shape):
        scale = np.sqrt(2 / np.prod(shape[1:]))
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    nodes = [
        builders.node("Conv", ["x", "stem"], ["a"], name="stem", pads=[2] * 4),
        builders.node("Conv", ["a", "wide"], ["b"], name="widen"),
        builders.node("Relu", ["b"], ["c"]),
        builders.node("Conv", ["c", "depth"], ["d"], name="depthwise",
                      pads=[1] * 4, group=64),
        builders.node("Conv", ["d", "narrow"], ["e"], name="narrow"),
        builders.node("Conv", ["e", "square"], ["g"], name="square",
                      pads=[1] * 4),
        builders.node("MaxPool", ["g"], ["f"], name="pool",
                      kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2]),
        builders.node("Conv", ["f", "last"], ["y"], name="last", pads=[2] * 4),
    ]
    return builders.model(
        nodes, {"x": ("float32", [1, 16, SIZE, SIZE])},
        {"y": ("float32", [1, 32, SIZE // 2, SIZE // 2])},
        weights={"stem": weights(16, 16, 5, 5), "wide": weights(64, 16, 1, 1),
                 "depth": weights(64, 1, 3, 3), "narrow": weights(32, 64, 1, 1),
                 "square": weights(32, 32, 3, 3),
                 "last": weights(32, 32, 5, 5)})


def divisors(number, step=1):
    """What cuts a number into equal parts that are multiples of `step`."""
    return [i for i in range(1, number + 1)
            if number % i == 0 and (i == 1 or number // i % step == 0)]


def draw(rng, entry):
    """A strategy for the op of an entry; none for one that another one fuses."""
    if entry["decides"] == "algorithms":
        algorithm = rng.choice(["direct", "winograd, winogradTile = 2",
                                "winograd, winogradTile = 4"])
        return f"#VPU.strategy<algorithm = {algorithm}>"
    name, shape = entry["signature"].split(" ")
    sizes = [int(size) for size in re.findall(r"(\d+)x", shape)]
    if name == "VPU.Copy":
        return rng.choice(["#VPU.strategy<>", entry["strategy"]])
    dim, split = rng.choice([(2, "SplitOverHeight"), (1, "SplitOverKernel"),
                             (3, "SplitOverWidth"), (2, "Clustering")])
    # Rows of whole tiles, of either size.
    step = 4 if name == "VPU.NCE.WinogradConvolution" else 1
    parts, tiles = [1] * 5, [1] * 5
    if split != "Clustering":
        parts[dim] = rng.choice(divisors(sizes[dim], step if dim == 2 else 1))
    tiles[2] = rng.choice(divisors(sizes[2] // parts[2], step))
    tiles[1] = rng.choice(divisors(sizes[1] // parts[1]))
    cluster = (f"multiCluster = {split}, parts = {parts}, "
               if parts != [1] * 5 else "")
    return f"#VPU.strategy<{cluster}tiles = {tiles}>"


def apply_algorithms(entries):
    """The entries of ops that there are: by its algorithm a convolution is
    another op, for whose loops the file has nothing then."""
    def is_there(entry):
        is_winograd = "WinogradConvolution" in entry["signature"]
        algorithm = algorithms.get(entry["node"])
        return (entry["decides"] == "algorithms" or algorithm is None
                or is_winograd == ("winograd" in algorithm))

    algorithms = {entry["node"]: entry["strategy"] for entry in entries
                  if entry["decides"] == "algorithms"}
    return [entry for entry in entries if is_there(entry)]


@pytest.fixture(scope="module")
def chosen(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strategies")
    model = bottleneck()
    feeds = {"x": np.random.default_rng(4).standard_normal(
        (1, 16, SIZE, SIZE)).astype(np.float32)}
    dump = folder / "chosen.json"
    options = ["--vpu-arch=x86-64-v3", "--threads=2"]
    expected = run(model, feeds, folder, "cpu", *options,
                   f"--dump-strategies={dump}")
    return model, feeds, options, expected, json.loads(dump.read_text())


def test_chosen_strategies_fuse_and_pad(chosen):
    text = json.dumps(chosen[-1])
    for word in ("algorithm = ", "padInPlace", "fused = [producer]",
                 "[unblocking]"):
        assert word in text


@pytest.mark.parametrize("seed", range(12))
def test_any_strategy_has_the_same_results(chosen, seed, tmp_path):
    model, feeds, options, expected, strategies = chosen
    rng = random.Random(seed)
    # Which kernels are left to share follows from the loops of others.
    entries = [dict(entry, strategy=draw(rng, entry))
               for entry in strategies["ops"]
               if entry["decides"] in ("algorithms", "loops")]
    # What is not named is chosen around the others.
    entries = apply_algorithms(
        rng.sample(entries, rng.randint(1, len(entries))))
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({**strategies, "ops": entries}))
    found = run(model, feeds, tmp_path, "cpu", *options,
                f"--strategies={file}")
    np.testing.assert_allclose(found["y"], expected["y"],
                               **tolerances.CANCELLATION)


ROWS, MATRICES, DEPTH = 48, 4, 16


def attention():
    """Two products with a softmax between them, and a softmax alone."""
    shape = [MATRICES, ROWS, DEPTH]
    nodes = [
        builders.node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
        builders.node("MatMul", ["q", "kt"], ["scores"], name="scores"),
        builders.node("Softmax", ["scores"], ["shares"], name="shares"),
        builders.node("MatMul", ["shares", "v"], ["y"], name="values"),
        builders.node("Softmax", ["v"], ["z"], name="softmax"),
    ]
    return builders.model(
        nodes, {name: ("float32", shape) for name in ("q", "k", "v")},
        {name: ("float32", shape) for name in ("y", "z")})


def draw_group(rng, entries):
    """Strategies for the members of a group: none, or the same with parts and
    blocks of other sizes."""
    if rng.random() < 0.25:
        return [dict(entry, strategy="#VPU.strategy<>") for entry in entries]

    def draw_root(entry):
        block = re.search(r"block = (\[.*?\])", entry["strategy"])
        if not block:
            return entry
        number = re.search(r"group = \d+", entry["strategy"])[0]
        sizes = [int(size) for size in
                 re.findall(r"(\d+)x", entry["signature"])]
        # One part for each core of the first loop, or of different sizes.
        block, parts = json.loads(block[1]), [1] * len(sizes)
        first = min(dim for dim, size in enumerate(block) if size)
        parts[first] = rng.choice(divisors(sizes[first]))
        for dim, size in enumerate(block):
            if size:
                block[dim] = rng.choice(divisors(sizes[dim] // parts[dim]))
        cluster = (f"multiCluster = SplitOverHeight, parts = {parts}, "
                   if parts[first] != 1 else "")
        return dict(entry, strategy=f"#VPU.strategy<{cluster}{number}, "
                                    f"block = {block}>")

    return [draw_root(entry) for entry in entries]


@pytest.fixture(scope="module")
def grouped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("groups")
    model = attention()
    rng = np.random.default_rng(5)
    feeds = {name: rng.standard_normal((MATRICES, ROWS, DEPTH)).astype(
        np.float32) for name in ("q", "k", "v")}
    dump = folder / "chosen.json"
    options = ["--vpu-arch=x86-64-v3", "--threads=2"]
    expected = run(model, feeds, folder, "cpu", *options,
                   f"--dump-strategies={dump}")
    strategies = json.loads(dump.read_text())
    groups = {}
    for entry in strategies["ops"]:
        if entry["decides"] == "groups":
            number = re.search(r"group = (\d+)", entry["strategy"])[1]
            groups.setdefault(number, []).append(entry)
    return model, feeds, options, expected, strategies, groups


def test_chosen_strategies_group_rows(grouped):
    assert len(grouped[-1]) == 2
    for entries in grouped[-1].values():
        assert sum("block = " in entry["strategy"] for entry in entries) == 1


@pytest.mark.parametrize("seed", range(8))
def test_any_group_has_the_same_results(grouped, seed, tmp_path):
    model, feeds, options, expected, strategies, groups = grouped
    rng = random.Random(seed)
    entries = [entry for group in groups.values()
               for entry in draw_group(rng, group)]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({**strategies, "ops": entries}))
    found = run(model, feeds, tmp_path, "cpu", *options,
                f"--strategies={file}")
    for name in expected:
        np.testing.assert_allclose(found[name], expected[name],
                                   **tolerances.CANCELLATION)


def test_strategies_of_an_op_that_another_one_fuses_are_refused(chosen,
                                                                tmp_path):
    model, feeds, options, _, strategies = chosen
    entries = []
    for entry in strategies["ops"]:
        if "DepthConvolution" in entry["signature"]:
            parts = ("multiCluster = SplitOverHeight, "
                     "parts = [1, 1, 2, 1, 1]")
            entry = dict(entry, strategy=f"#VPU.strategy<{parts}>")
        entries.append(entry)
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({**strategies, "ops": entries}))
    onnx.save(model, str(tmp_path / "net.onnx"))
    with pytest.raises(cli.NacreError, match="expected no parts") as error:
        run(model, feeds, tmp_path, "cpu", *options, f"--strategies={file}")
    assert error.value.code == cli.Exit.UNSUPPORTED


def software():
    """Kernels that the engine does not have, a copy of what it reads itself to
    the model's order, and one that bufferization makes of an input that is an
    output, too."""
    rng = np.random.default_rng(6)
    weights = rng.standard_normal((32, 16, 1, 1)).astype(np.float32) / 4
    nodes = [
        builders.node("Sin", ["m"], ["s"], name="sine"),
        builders.node("ReduceSum", ["m"], ["t"], name="total", keepdims=0),
        builders.node("Identity", ["m"], ["i"]),
        builders.node("Conv", ["x", "w"], ["y"], name="conv"),
        builders.node("MaxPool", ["y"], ["p"], name="pool",
                      kernel_shape=[2, 2], strides=[2, 2]),
    ]
    image, matrix = ("float32", [1, 16, 96, 96]), ("float32", [384, 640])
    return builders.model(
        nodes, {"x": image, "m": matrix},
        {"s": matrix, "t": ("float32", []), "i": matrix,
         "y": ("float32", [1, 32, 96, 96]), "p": ("float32", [1, 32, 48, 48])},
        weights={"w": weights}, opset=13)


def draw_parts(rng, entry):
    """Parts of one loop of an elementwise kernel or of the rows of a copy
    between layouts; of a reduction, or none of any."""
    parts = json.loads(re.search(r"parts = (\[.*?\])", entry["strategy"])[1])
    sizes = [int(size) for size in re.findall(r"(\d+)x", entry["signature"])]
    if rng.random() < 0.2:
        return "#VPU.strategy<>"
    if len(sizes) != len(parts):
        return entry["strategy"]
    dim = 2 if "VPU.Copy" in entry["signature"] else rng.randrange(len(sizes))
    parts = [1] * len(sizes)
    parts[dim] = rng.choice(divisors(sizes[dim])[1:])
    return f"#VPU.strategy<multiCluster = SplitOverHeight, parts = {parts}>"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("software")
    model = software()
    rng = np.random.default_rng(7)
    feeds = {name: rng.standard_normal(shape).astype(np.float32)
             for name, shape in {"x": (1, 16, 96, 96), "m": (384, 640)}.items()}
    dump = folder / "chosen.json"
    options = ["--vpu-arch=x86-64-v3", "--threads=2"]
    expected = run(model, feeds, folder, "cpu", *options,
                   f"--dump-strategies={dump}")
    strategies = json.loads(dump.read_text())
    return model, feeds, options, expected, strategies, [
        entry for entry in strategies["ops"]
        if entry["decides"] in ("software", "buffers")]


def test_chosen_strategies_share_software_and_copies(shared):
    text = json.dumps(shared[-1])
    for word in ("linalg.generic", "VPU.Copy", "linalg.copy"):
        assert word in text


@pytest.mark.parametrize("seed", range(8))
def test_any_parts_of_software_have_the_same_results(shared, seed, tmp_path):
    model, feeds, options, expected, strategies, entries = shared
    rng = random.Random(seed)
    entries = [dict(entry, strategy=draw_parts(rng, entry))
               for entry in entries]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({**strategies, "ops": entries}))
    found = run(model, feeds, tmp_path, "cpu", *options,
                f"--strategies={file}")
    for name in expected:
        np.testing.assert_allclose(found[name], expected[name],
                                   **tolerances.CANCELLATION)


def draw_chunk(rng, entry):
    """Some rows and columns of the tiles that an image has, all of 4×4 results."""
    if "chunk" not in entry["strategy"]:
        return entry
    _, _, rows, columns, _ = [int(size) for size in
                              re.findall(r"(\d+)x", entry["signature"])]
    chunk = [rng.randint(1, -(-size // 4)) for size in (rows, columns)]
    return dict(entry, strategy=f"#VPU.strategy<chunk = {chunk}>")


def choose_winograd(chosen, tmp_path):
    """The results of the model by Winograd's algorithm, and its strategies."""
    model, feeds, options, _, strategies = chosen
    file, dump = tmp_path / "mine.json", tmp_path / "winograd.json"
    winograd = "#VPU.strategy<algorithm = winograd, winogradTile = 4>"
    file.write_text(json.dumps({**strategies, "ops": [
        dict(entry, strategy=winograd) for entry in strategies["ops"]
        if entry["decides"] == "algorithms"]}))
    found = run(model, feeds, tmp_path, "cpu", *options, f"--strategies={file}",
                f"--dump-strategies={dump}")
    return found, json.loads(dump.read_text())["ops"]


def test_any_staged_columns_have_the_same_results(chosen, tmp_path):
    model, feeds, options, _, strategies = chosen
    expected, entries = choose_winograd(chosen, tmp_path)
    assert any("stagedColumns" in entry["strategy"] for entry in entries)
    file = tmp_path / "mine.json"
    for inputs, outputs in (0, 0), (1, 6), (6, 3):
        columns = f"stagedColumns = <inputs = {inputs}, outputs = {outputs}>"
        file.write_text(json.dumps({**strategies, "ops": [
            dict(entry, strategy=re.sub(r"stagedColumns = <.*?>", columns,
                                        entry["strategy"]))
            for entry in entries]}))
        found = run(model, feeds, tmp_path, "cpu", *options,
                    f"--strategies={file}")
        np.testing.assert_array_equal(found["y"], expected["y"])


def test_any_chunk_has_the_same_results(chosen, tmp_path):
    model, feeds, options, expected, strategies = chosen
    file = tmp_path / "mine.json"
    # A kernel's code follows from its chunk.
    entries = [entry for entry in choose_winograd(chosen, tmp_path)[1]
               if entry["decides"] != "registers"]
    assert any("chunk" in entry["strategy"] for entry in entries)
    for seed in range(4):
        rng = random.Random(seed)
        file.write_text(json.dumps({**strategies, "ops": [
            draw_chunk(rng, entry) for entry in entries]}))
        found = run(model, feeds, tmp_path, "cpu", *options,
                    f"--strategies={file}")
        np.testing.assert_allclose(found["y"], expected["y"],
                                   **tolerances.CANCELLATION)


def draw_limits(rng, entry):
    """The strategy of an op of dynamic sizes with other bounds of its tiles, and
    parts that pay at once, or hardly ever."""
    text = entry["strategy"]
    for name, most in {"bytes": 1 << 16, "grain": 1 << 12, "leastPixels": 64,
                       "pointCost": 1 << 10}.items():
        text = re.sub(rf"\b{name} = [1-9]\d*",
                      lambda _, name=name, most=most:
                      f"{name} = {rng.randint(1, most)}", text)
    text = re.sub(r"leastSteps = \[(.*?)\]", lambda match: "leastSteps = " + str(
        [rng.randint(1, 20) for _ in match[1].split(",")]), text)
    text = re.sub(r"<bytes = (\d+)(.*?leastBytes = )\d+", lambda match:
                  f"<bytes = {match[1]}{match[2]}{rng.randint(1, int(match[1]))}",
                  text)
    return dict(entry, strategy=text)


def test_any_limits_of_dynamic_sizes_have_the_same_results(tmp_path):
    weights = np.random.default_rng(8).standard_normal(
        (16, 16, 3, 3)).astype(np.float32) / 12
    model = builders.model(
        [builders.node("Softmax", ["x"], ["y"]),
         builders.node("Conv", ["i", "w"], ["c"], pads=[1] * 4)],
        {"x": ("float32", ["n", "m"]), "i": ("float32", [1, 16, "h", "v"])},
        {"y": ("float32", ["n", "m"]), "c": ("float32", [1, 16, "h", "v"])},
        weights={"w": weights})
    rng = np.random.default_rng(9)
    feeds = {name: rng.standard_normal(shape).astype(np.float32)
             for name, shape in {"x": (37, 129), "i": (1, 16, 29, 31)}.items()}
    dump, file = tmp_path / "chosen.json", tmp_path / "mine.json"
    options = ["--vpu-arch=x86-64-v3", "--threads=2"]
    expected = run(model, feeds, tmp_path, "cpu", *options,
                   f"--dump-strategies={dump}")
    strategies = json.loads(dump.read_text())
    entries = [entry for entry in strategies["ops"]
               if "limits" in entry["strategy"]
               or "group" in entry["strategy"]]
    text = json.dumps(entries)
    for word in ("leastPixels", "leastSteps", "leastBytes", "pointCost"):
        assert word in text
    for seed in range(4):
        drawn = random.Random(seed)
        file.write_text(json.dumps({**strategies, "ops": [
            draw_limits(drawn, entry) for entry in entries]}))
        found = run(model, feeds, tmp_path, "cpu", *options,
                    f"--strategies={file}")
        for name in expected:
            np.testing.assert_allclose(found[name], expected[name],
                                       **tolerances.CANCELLATION)


REGISTERS, LANES, MOST_ROWS = 16, 8, 4


def draw_tile(rng, match, image):
    """A register tile that is not larger than the chosen one, or of more rows of
    an image; of weights that are buffered or rows that are widened, or not any
    more."""
    chosen = {"rows": 1, "columns": 1, "vectors": 1, **{
        name: int(size) for name, size in re.findall(r"(\w+) = (\d+)", match[1])}}
    tile = {name: rng.randint(1, size) for name, size in chosen.items()}
    if image:
        sums = tile["columns"] * tile["vectors"]
        most = min((REGISTERS - 1 - tile["vectors"]) // sums, MOST_ROWS)
        tile["rows"] = rng.randint(1, max(most, 1))
    for name in ("bufferWeights", "widenRows"):
        if name in match[1] and rng.random() < 0.7:
            tile[name] = "true"
    return "<" + ", ".join(f"{name} = {size}" for name, size in tile.items()) + ">"


def draw_prefetching(rng, entry, text):
    """Weights of a convolution by vectors of channels are prefetched, or not;
    those of products that are may not be."""
    sizes = re.findall(r"(\d+)x", entry["signature"])
    if "NCE.MatMul" in entry["signature"] and rng.random() < 0.5:
        return text.replace(", prefetchWeights = true", "")
    if "NCE.Convolution" not in entry["signature"] or int(sizes[-1]) != LANES:
        return text
    text = text.replace(", prefetchWeights = true", "")
    return (text.replace("]", "], prefetchWeights = true", 1)
            if rng.random() < 0.5 else text)


def draw_registers(rng, entry):
    """Other tiles, weights that are prefetched or not, and a border that is left
    out at other edges."""
    image = entry["node"] in ("stem", "last", "tall")
    text = re.sub(r"<((?:rows|columns|vectors|buffer|widen)[^<>]*|)>(?=[,\]])",
                  lambda match: draw_tile(rng, match, image),
                  entry["strategy"])
    text = draw_prefetching(rng, entry, text)
    border = re.search(r", skipBorder = \[(.*?)\]", text)
    if not border:
        return text
    # A part of an image has no border where other parts are.
    edges = [edge for edge in border[1].split(", ") if rng.random() < 0.5]
    return text.replace(border[0], f", skipBorder = [{', '.join(edges)}]"
                        if edges else "")


def test_any_registers_have_the_same_results(chosen, tmp_path):
    model, feeds, options, expected, strategies = chosen
    kernels = {entry["node"] for entry in strategies["ops"]
               if entry["decides"] == "registers"}
    assert {"stem", "depthwise", "last"} <= kernels
    assert "skipBorder" in json.dumps(strategies)
    file = tmp_path / "mine.json"
    for seed in range(8):
        rng = random.Random(seed)
        file.write_text(json.dumps({**strategies, "ops": [
            dict(entry, strategy=draw_registers(rng, entry))
            if entry["decides"] == "registers" else entry
            for entry in strategies["ops"]]}))
        found = run(model, feeds, tmp_path, "cpu", *options,
                    f"--strategies={file}")
        np.testing.assert_allclose(found["y"], expected["y"],
                                   **tolerances.CANCELLATION)


def half():
    """Weights of float16, for few pixels."""
    weights = np.random.default_rng(10).standard_normal((64, 16, 1, 1))
    return builders.model(
        [builders.node("Conv", ["x", "w"], ["y"], name="half")],
        {"x": ("float16", [1, 16, 7, 7])}, {"y": ("float16", [1, 64, 7, 7])},
        weights={"w": (weights / 4).astype(np.float16)}
    ), np.float16, (1, 16, 7, 7)


def tall():
    """Any number of rows, each shorter than a tile."""
    weights = np.random.default_rng(11).standard_normal((8, 16, 5, 5))
    return builders.model(
        [builders.node("Conv", ["x", "w"], ["y"], name="tall")],
        {"x": ("float32", [1, 16, "h", 10])}, {"y": ("float32", [1, 8, "v", 6])},
        weights={"w": (weights / 20).astype(np.float32)}
    ), np.float32, (1, 16, 29, 10)


def pairs():
    """Rows of bytes, which are multiplied in pairs."""
    weights = np.random.default_rng(13).integers(-128, 128, (38, 40))
    return builders.model(
        [builders.node("MatMulInteger", ["x", "w"], ["y"], name="pairs")],
        {"x": ("uint8", [13, 38])}, {"y": ("int32", [13, 40])},
        weights={"w": weights.astype(np.int8)}), np.uint8, (13, 38)


def windows():
    """Pixels of bytes, which are multiplied in pairs: an odd number of channels, and
    windows that have pixels in common."""
    weights = np.random.default_rng(14).integers(-128, 128, (40, 21, 3, 3))
    return builders.model(
        [builders.node("ConvInteger", ["x", "w"], ["y"], name="windows",
                       strides=[1, 2], pads=[1, 1, 1, 1])],
        {"x": ("uint8", [2, 21, "h", "w"])}, {"y": ("int32", [2, 40, "v", "u"])},
        weights={"w": weights.astype(np.int8)}), np.uint8, (2, 21, 11, 27)


@pytest.mark.parametrize("build, words", [
    (half, ["bufferWeights", "prefetchWeights"]), (tall, ["rows = 2"]),
    (pairs, ["widenRows = true"]), (windows, ["widenRows = true"])])
def test_any_registers_of_a_layer_have_the_same_results(build, words, tmp_path):
    model, kind, shape = build()
    rng = np.random.default_rng(12)
    feeds = {"x": rng.integers(0, 256, shape).astype(kind) if kind is np.uint8
             else rng.standard_normal(shape).astype(kind)}
    dump, file = tmp_path / "chosen.json", tmp_path / "mine.json"
    options = ["--vpu-arch=x86-64-v3", "--threads=2"]
    expected = run(model, feeds, tmp_path, "cpu", *options,
                   f"--dump-strategies={dump}")
    strategies = json.loads(dump.read_text())
    entries = [entry for entry in strategies["ops"]
               if entry["decides"] == "registers"]
    for word in words:
        assert word in json.dumps(entries)
    for seed in range(8):
        rng = random.Random(seed)
        file.write_text(json.dumps({**strategies, "ops": [
            dict(entry, strategy=draw_registers(rng, entry))
            if entry["decides"] == "registers" else entry
            for entry in strategies["ops"]]}))
        found = run(model, feeds, tmp_path, "cpu", *options,
                    f"--strategies={file}")
        # Each sum is of the same terms in the same order.
        np.testing.assert_allclose(found["y"], expected["y"],
                                   **tolerances.EXACT)
