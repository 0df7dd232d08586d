#!/usr/bin/python3
# ===- train_digits.py - The digit classifier of the demo -----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the small convolutional network that `make demo` compiles.

The data are the UCI handwritten digits that scikit-learn ships: 1797 images
of 8x8 pixels. The last 360, written by other people than most of the first
1437, are held out. Written to the output folder:

  digits.onnx       image (1x1x8x8, pixels in [0, 1]) -> scores (1x10)
  test_images.npy   the held-out images, float32, 360x1x8x8
  test_labels.npy   their digits, uint8, 360

Running the script again, on any machine, reproduces these files byte for
byte. Floating-point sums depend on the order a BLAS takes them in, hence on
the CPU; so every operand of a sum is first rounded to a grid coarse enough
that the sum is exact in a double, and then order does not matter. That also
is why the loss is the squared hinge: its gradient needs no exponential.
"""

import argparse
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

HELD_OUT = 360
CLASSES = 10
CHANNELS = (16, 32)
EPOCHS = 50
BATCH = 32

# Fractional bits kept of weights and activations, and of gradients. A product
# has at most 38; a double holds 53, which leaves 15 for the sum's magnitude.
VALUE_BITS = 14
GRADIENT_BITS = 24


def snap(x, bits=VALUE_BITS):
    """Rounds to multiples of 2**-bits."""
    return np.round(x * 2.0**bits) * 2.0**-bits


def exact_matmul(a, b, bits):
    """a @ b for operands whose products are multiples of 2**-bits."""
    bound = np.abs(a).max() * np.abs(b).max() * a.shape[-1] * 2.0**bits
    if bound >= 2.0**53:
        raise ArithmeticError("a sum no longer fits a double: not reproducible")
    return a @ b


class Layer:
    """Weights of a matmul (rows are inputs), with momentum.

    The master copy collects steps finer than the grid of `weight`.
    """

    def __init__(self, rng, fan_in, fan_out):
        limit = np.sqrt(3.0 / fan_in)
        # RandomState's uniform stream is frozen across numpy versions.
        self.master = [(rng.rand(fan_in, fan_out) * 2 - 1) * limit,
                       np.zeros(fan_out)]
        self.velocity = [np.zeros_like(value) for value in self.master]
        self.weight, self.bias = map(snap, self.master)

    def forward(self, x):
        self.x = x
        product = exact_matmul(x, self.weight, 2 * VALUE_BITS)
        return snap(product + self.bias)

    def backward(self, grad, rate, momentum, decay):
        bits = VALUE_BITS + GRADIENT_BITS
        grads = (exact_matmul(self.x.T, grad, bits) + decay * self.weight,
                 grad.sum(axis=0))
        back = snap(exact_matmul(grad, self.weight.T, bits), GRADIENT_BITS)
        for value, velocity, g in zip(self.master, self.velocity, grads):
            velocity *= momentum
            velocity -= rate * g
            value += velocity
        self.weight, self.bias = map(snap, self.master)
        return back


def patches(x):
    """NHWC -> one row of 3x3 neighbourhood per pixel, zero-padded."""
    n, h, w, c = x.shape
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    taps = [padded[:, i:i + h, j:j + w] for i in range(3) for j in range(3)]
    return np.stack(taps, axis=3).reshape(n * h * w, 9 * c)


def patches_backward(grad, shape):
    n, h, w, c = shape
    padded = np.zeros((n, h + 2, w + 2, c))
    taps = grad.reshape(n, h, w, 9, c)
    for tap in range(9):
        i, j = divmod(tap, 3)
        padded[:, i:i + h, j:j + w] += taps[:, :, :, tap]
    return padded[:, 1:-1, 1:-1]


def pool(x):
    """2x2 max pooling; also where each maximum came from."""
    n, h, w, c = x.shape
    tiles = x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 5, 2, 4)
    tiles = tiles.reshape(n, h // 2, w // 2, c, 4)
    where = tiles.argmax(axis=-1)
    return tiles.max(axis=-1), where


def pool_backward(grad, where, shape):
    n, h, w, c = shape
    tiles = (np.arange(4) == where[..., None]) * grad[..., None]
    tiles = tiles.reshape(n, h // 2, w // 2, c, 2, 2)
    return tiles.transpose(0, 1, 4, 2, 5, 3).reshape(shape)


class Network:
    """conv 3x3 - relu - pool - conv 3x3 - relu - pool - gemm, in NHWC."""

    def __init__(self, rng):
        self.conv1 = Layer(rng, 9, CHANNELS[0])
        self.conv2 = Layer(rng, 9 * CHANNELS[0], CHANNELS[1])
        self.gemm = Layer(rng, 4 * CHANNELS[1], CLASSES)

    def forward(self, x):
        self.saved = []
        for conv in (self.conv1, self.conv2):
            n, h, w, _ = x.shape
            activation = conv.forward(patches(x)).reshape(n, h, w, -1)
            activation = np.maximum(activation, 0)
            pooled, where = pool(activation)
            self.saved.append((conv, x.shape, activation, where))
            x = pooled
        self.features = x.shape
        return self.gemm.forward(x.reshape(len(x), -1))

    def backward(self, grad, *step):
        grad = self.gemm.backward(snap(grad, GRADIENT_BITS), *step)
        grad = grad.reshape(self.features)
        for conv, shape, activation, where in reversed(self.saved):
            grad = pool_backward(grad, where, activation.shape)
            grad = grad * (activation > 0)
            grad = conv.backward(grad.reshape(-1, grad.shape[-1]), *step)
            grad = patches_backward(grad, shape)


def shifted(rng, images):
    """Moves each image by up to one pixel: six people wrote few digits."""
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
    moves = rng.randint(0, 3, size=(len(images), 2))
    return np.stack([p[i:i + 8, j:j + 8] for p, (i, j) in zip(padded, moves)])


def train(images, labels):
    rng = np.random.RandomState(2)
    network = Network(rng)
    targets = 2 * np.eye(CLASSES)[labels] - 1
    for epoch in range(EPOCHS):
        rate = 0.03 * (1 - epoch / EPOCHS)
        loss = 0.0
        order = rng.permutation(len(images))
        for start in range(0, len(order), BATCH):
            batch = order[start:start + BATCH]
            scores = network.forward(shifted(rng, images[batch]))
            error = scores - targets[batch]
            error[scores * targets[batch] >= 1] = 0
            loss += (error**2).sum()
            network.backward(error / len(batch), rate, 0.9, 1e-4)
        print(f"epoch {epoch + 1:2} of {EPOCHS}: "
              f"loss {loss / len(images):.4f}", flush=True)
    return network


def to_onnx(network):
    """The network in ONNX's terms: NCHW, weights as M x C x kH x kW."""

    def tensor(name, array):
        array = np.ascontiguousarray(array, dtype="<f4")
        return helper.make_tensor(name, TensorProto.FLOAT, array.shape,
                                  array.tobytes(), raw=True)

    def conv_weight(layer):
        _, out = layer.weight.shape
        return layer.weight.reshape(3, 3, -1, out).transpose(3, 2, 0, 1)

    # Flattening NCHW puts the channel first where NHWC had it last.
    gemm = network.gemm.weight.reshape(2, 2, CHANNELS[1], CLASSES)
    gemm = gemm.transpose(3, 2, 0, 1).reshape(CLASSES, -1)
    conv = dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    down = dict(kernel_shape=[2, 2], strides=[2, 2])
    nodes = [
        helper.make_node("Conv", ["image", "w1", "b1"], ["c1"], "conv1", **conv),
        helper.make_node("Relu", ["c1"], ["r1"], "relu1"),
        helper.make_node("MaxPool", ["r1"], ["p1"], "pool1", **down),
        helper.make_node("Conv", ["p1", "w2", "b2"], ["c2"], "conv2", **conv),
        helper.make_node("Relu", ["c2"], ["r2"], "relu2"),
        helper.make_node("MaxPool", ["r2"], ["p2"], "pool2", **down),
        helper.make_node("Flatten", ["p2"], ["f"], "flatten"),
        helper.make_node("Gemm", ["f", "w3", "b3"], ["scores"], "gemm",
                         transB=1),
    ]
    weights = [
        tensor("w1", conv_weight(network.conv1)),
        tensor("b1", network.conv1.bias),
        tensor("w2", conv_weight(network.conv2)),
        tensor("b2", network.conv2.bias),
        tensor("w3", gemm),
        tensor("b3", network.gemm.bias),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "digits",
        [value("image", TensorProto.FLOAT, [1, 1, 8, 8])],
        [value("scores", TensorProto.FLOAT, [1, CLASSES])], weights)
    model = helper.make_model(graph, producer_name="nacre",
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 7
    onnx.checker.check_model(model)
    return model


def main():
    default = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                           "..", "models", "digits")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", default=os.path.normpath(default),
                        help="folder to write to (default: %(default)s)")
    args = parser.parse_args()

    from sklearn.datasets import load_digits  # slow to import: after parsing
    data = load_digits()
    images = data.images[..., None] / 16
    labels = data.target
    network = train(images[:-HELD_OUT], labels[:-HELD_OUT])

    test_images, test_labels = images[-HELD_OUT:], labels[-HELD_OUT:]
    right = network.forward(test_images).argmax(axis=1) == test_labels
    print(f"held-out accuracy: {100 * right.mean():.2f}% "
          f"({right.sum()} of {HELD_OUT})")

    os.makedirs(args.output, exist_ok=True)
    with open(os.path.join(args.output, "digits.onnx"), "wb") as file:
        file.write(to_onnx(network).SerializeToString(deterministic=True))
    np.save(os.path.join(args.output, "test_images.npy"),
            test_images.transpose(0, 3, 1, 2).astype("<f4"))
    np.save(os.path.join(args.output, "test_labels.npy"),
            test_labels.astype("u1"))
    print(f"written to {args.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
