#!/usr/bin/python3
# ===- bench_kernels.py - Kernels against peaks and ONNX Runtime -----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times models of one operator: how much of the machine each kernel reaches.

The shapes are those of common networks. A share is of the roofline: of the time
that the multiplications or the bytes of all steps, layout conversions included,
would take at the peaks that `nacre bench --profile` measures on this machine.
nacre verifies its outputs before it is timed, and ONNX Runtime is timed right
before or after it, as in bench.py. Winograd's algorithm is off: shares are of
the multiplications that there are.

The table is written to build/bench/kernels.md.
"""

import argparse
import pathlib
import statistics
import sys

import numpy as np
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import builders, cli  # noqa: E402

import bench  # noqa: E402

FOLDER = bench.FOLDER / "kernels"


def conv(inputs, outputs, size, kernel, stride=1, groups=1):
    """A convolution that keeps the image's size but for its stride."""
    weights = np.zeros((outputs, inputs // groups, kernel, kernel), np.float32)
    return ("Conv", {"x": (1, inputs, size, size)},
            (1, outputs, size // stride, size // stride), {"w": weights.shape},
            {"kernel_shape": [kernel] * 2, "strides": [stride] * 2,
             "pads": [kernel // 2] * 4, "group": groups})


def matmul(rows, inner, columns):
    return ("MatMul", {"x": (rows, inner)}, (rows, columns),
            {"w": (inner, columns)}, {})


KERNELS = {
    "matmul 512x512x512": matmul(512, 512, 512),
    "matmul 1024x1024x1024": matmul(1024, 1024, 1024),
    "matmul 128x768x768": matmul(128, 768, 768),
    "vector x matrix 768x3072": matmul(1, 768, 3072),
    "conv 3x3 64-64 56x56": conv(64, 64, 56, 3),
    "conv 3x3 256-256 14x14": conv(256, 256, 14, 3),
    "conv 3x3 stride 2 128-128 56x56": conv(128, 128, 56, 3, stride=2),
    "conv 1x1 256-64 56x56": conv(256, 64, 56, 1),
    "conv 1x1 64-256 56x56": conv(64, 256, 56, 1),
    "conv 1x1 960-160 7x7": conv(960, 160, 7, 1),
    "conv 7x7 stride 2 3-64 224x224": conv(3, 64, 224, 7, stride=2),
    "conv 3x3 32 groups 128-128 56x56": conv(128, 128, 56, 3, groups=32),
    "depthwise 3x3 144 56x56": conv(144, 144, 56, 3, groups=144),
    "depthwise 3x3 stride 2 144 56x56": conv(144, 144, 56, 3, stride=2,
                                             groups=144),
}


def write_case(name, kernel):
    """The folder of a kernel's model and data; the interpreter's outputs."""
    operator, inputs, output, weights, attributes = kernel
    folder = FOLDER / name.replace(" ", "-")
    values = folder / "test_data_set_0"
    if (values / "output_0.pb").exists():
        return folder
    values.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)

    def draw(shape):
        return random.uniform(-1, 1, shape).astype(np.float32)

    model = builders.single(
        operator, {key: ("float32", shape) for key, shape in inputs.items()},
        {"y": ("float32", output)},
        weights={key: draw(shape) for key, shape in weights.items()},
        **attributes)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    options = []
    for index, (key, shape) in enumerate(inputs.items()):
        array = draw(shape)
        np.save(folder / f"{key}.npy", array)
        options.append(f"--input={key}={folder / key}.npy")
        write_tensor(values / f"input_{index}.pb", array, key)
    cli.nacre("run", folder / "model.onnx", "--backend=interpreter", *options,
              f"--output-dir={folder}")
    write_tensor(values / "output_0.pb", np.load(folder / "y.npy"), "y")
    return folder


def write_tensor(path, array, name):
    path.write_bytes(numpy_helper.from_array(array, name).SerializeToString())


def measure(peer, folder, threads, args):
    """Medians over rounds: ratio to the peer, both shares of the roofline."""
    model, values = folder / "model.onnx", folder / "test_data_set_0"
    ours = [cli.tool(), "bench", model, values, f"--threads={threads}",
            f"--seconds={args.seconds}", "--no-winograd", "--json"]
    theirs = [peer, model, values, threads, args.seconds]
    profile = bench.run([*ours, "--profile"])
    flops = sum(step["flops"] for step in profile["steps"])
    moved = sum(step["bytes"] for step in profile["steps"])
    # The least time that the machine could need, in ms.
    least = max(flops / profile["peak_gflops"],
                moved / profile["peak_gb_per_s"]) / 1e6
    rounds = [[result["median_ms"]
               for result in bench.take_turns(theirs, ours, index)]
              for index in range(args.rounds)]
    peer_ms, ms = map(statistics.median, zip(*rounds))
    return {"ms": ms, "ratio": statistics.median(a / b for a, b in rounds),
            "share": least / ms, "peer_share": least / peer_ms,
            "bound": "FMA" if flops / profile["peak_gflops"]
                     > moved / profile["peak_gb_per_s"] else "memory"}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5,
                        help="per engine and round (default: 0.5)")
    parser.add_argument("--threads", type=int, action="append",
                        help="default: 1 and 2")
    parser.add_argument("--kernel", action="append", choices=list(KERNELS),
                        help="a kernel to time (default: all)")
    args = parser.parse_args()
    threads = sorted(set(args.threads or [1, 2]))
    peer = bench.build_peer()
    header = ["kernel", "bound by"]
    for count in threads:
        header += [f"nacre, {count}", f"ONNX Runtime, {count}", "ratio"]
    lines = ["| " + " | ".join(header) + " |",
             "|---|---|" + "--:|" * (len(header) - 2)]
    for number, name in enumerate(args.kernel or KERNELS, 1):
        folder = write_case(name, KERNELS[name])
        cells = []
        for count in threads:
            result = measure(peer, folder, count, args)
            cells += [f"{result['share']:.0%}", f"{result['peer_share']:.0%}",
                      f"{result['ratio']:.2f}"]
        lines.append(f"| {name} | {result['bound']} | "
                     + " | ".join(cells) + " |")
        print(f"[{number}/{len(args.kernel or KERNELS)}] {lines[-1]}",
              flush=True)
    text = [f"{bench.today()}, {args.rounds} rounds of {args.seconds:g} s; "
            "shares of the roofline, by number of threads.", "", *lines]
    (bench.FOLDER / "kernels.md").write_text("\n".join(text) + "\n")
    print("\n".join(["", *text, "",
                     f"written to {bench.FOLDER / 'kernels.md'}"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
