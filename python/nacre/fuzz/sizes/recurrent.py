# ===- recurrent.py - What goes step by step over a dynamic size ------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws recurrent layers, of batches and sequences of any size, and Scan."""

import numpy as np
from onnx import helper

from nacre.fuzz.graph import F16, I32, MANTISSA, Rejected
from nacre.fuzz.sizes.control import info
from nacre.fuzz.sizes.graph import Value, is_fixed


def sigmoid(array):
    return 1 / (1 + np.exp(-array))


def rnn_step(x, state, w, r, b):
    hidden = np.tanh(x @ w.T + state[0] @ r.T + b.sum(0))
    return (hidden,)


def lstm_step(x, state, w, r, b):
    i, o, f, c = np.split(x @ w.T + state[0] @ r.T + b.sum(0), 4, -1)
    cell = sigmoid(f) * state[1] + sigmoid(i) * np.tanh(c)
    return sigmoid(o) * np.tanh(cell), cell


def gru_step(x, state, w, r, b, reset_last=False):
    size = state[0].shape[-1]
    inputs = x @ w.T + b[0]
    z, reset = np.split(sigmoid(
        (inputs + state[0] @ r.T + b[1])[:, :2 * size]), 2, -1)
    if reset_last:
        inner = reset * (state[0] @ r[2 * size:].T + b[1, 2 * size:])
    else:
        inner = (reset * state[0]) @ r[2 * size:].T + b[1, 2 * size:]
    new = np.tanh(inputs[:, 2 * size:] + inner)
    return (z * state[0] + (1 - z) * new,)


# Per operator: how many gates it has, what it computes in a step, its states.
LAYERS = {"RNN": (1, rnn_step, 1), "LSTM": (4, lstm_step, 2),
          "GRU": (3, gru_step, 1)}


def scan_steps(x, lengths, start, step, backward):
    """The results of all steps, and the states after the last of each row."""
    count, state = len(x), start
    results = np.zeros((count, *start[0].shape))
    for i in range(count):
        # A row goes backward from the end of its own sequence.
        at = np.where(lengths > i, lengths - 1 - i if backward else i, 0)
        rows = np.arange(x.shape[1])
        new = step(x[at, rows], state)
        on = (lengths > i)[:, None]
        state = tuple(np.where(on, a, b) for a, b in zip(new, state))
        results[at[on[:, 0]], rows[on[:, 0]]] = new[0][on[:, 0]]
    return results, state


def op_layer(g):
    """All steps' results, and the last states."""
    kind = g.choice((*LAYERS,))
    gates, step, states = LAYERS[kind]
    x = g.pick(g.float, rank=(3,), accepts=lambda value:
               is_fixed(value.sizes[2]) and 1 <= value.sizes[2][0] <= 17) \
        if g.chance(0.4) else g.input(
            g.float, [*g.shape(2), (g.choice((1, 3, 8, 16)),) * g.runs])
    if any(array.shape[0] > 70 for array in x.arrays):
        raise Rejected("too many steps")
    depth, size = x.sizes[2][0], g.choice((1, 4, 8, 16))
    direction = g.choice(("forward", "reverse", "bidirectional"))
    ways = 2 if direction == "bidirectional" else 1

    def weight(*shape):
        return g.weight(np.round(g.rng.uniform(-0.3, 0.3, shape), 3), False)

    w, r = (weight(ways, gates * size, depth),
            weight(ways, gates * size, size))
    b = weight(ways, 2 * gates * size)
    batch = x.sizes[1]
    lengths = None
    if g.chance(0.4):
        lengths = g.input(I32, [batch])
        for run, array in enumerate(lengths.arrays):
            lengths.arrays[run] = g.rng.integers(
                0, len(x.arrays[run]) + 1, array.shape).astype(np.int32)
        # No other node reads it: as numbers they would be any.
        g.values.remove(lengths)
    shape = [(ways,) * g.runs, batch, (size,) * g.runs]
    start = [g.input(g.float, shape, whole=False)
             for _ in range(states)] if g.chance(0.5) else []
    reset_last = kind == "GRU" and g.chance(0.5)
    outputs = [[] for _ in range(1 + states)]
    for run, array in enumerate(x.arrays):
        rows = array.shape[1]
        ends = np.full(rows, len(array)) if lengths is None \
            else lengths.arrays[run]
        found = []
        for way in range(ways):
            begin = tuple(value.arrays[run][way] for value in start) \
                or (np.zeros((rows, size)),) * states
            options = {"reset_last": reset_last} if kind == "GRU" else {}
            found.append(scan_steps(
                array, ends, begin, lambda x_t, state, way=way, run=run: step(
                    x_t, state, w.arrays[run][way], r.arrays[run][way],
                    b.arrays[run][way].reshape(2, -1), **options),
                direction == "reverse" or way == 1))
        outputs[0].append(np.stack([results for results, _ in found], 1))
        for i in range(states):
            outputs[1 + i].append(np.stack([state[i] for _, state in found]))
    # Errors of a step weigh less with each further one.
    scale = 4 if g.float == F16 else 16
    errors = [scale * (g.rounding * (1 + x.peak(run)) * 4 + x.errors[run]
                       * depth * 0.3 + max((value.errors[run]
                                            for value in start), default=0))
              for run in range(g.runs)]
    operands = [x, w, r, b, lengths, *start]
    while operands[-1] is None:
        operands.pop()
    g.emit(kind, operands, [Value(g.float, arrays, list(errors))
                            for arrays in outputs],
           hidden_size=size, direction=direction,
           **({"linear_before_reset": int(reset_last)}
              if kind == "GRU" else {}))


def sum_body(g, element):
    """A body that adds an element, as large as what it is added to."""
    before, part, after, shown = (g.name("b") for _ in range(4))
    return helper.make_graph(
        [helper.make_node("Add", [before, part], [after]),
         helper.make_node("Identity", [after], [shown])], g.name("body"),
        [info(element, before), info(element, part)],
        [info(element, after), info(element, shown)])


def summed(g, start, x, counts, outputs):
    """Results of sums of COUNTS elements of X for each run, from START on."""
    errors = [start.errors[run] + counts[run] * x.errors[run]
              for run in range(g.runs)]
    peaks = [start.peak(run) + counts[run] * x.peak(run)
             for run in range(g.runs)]
    grid = None if None in (x.grid, start.grid) else min(x.grid, start.grid)
    # Each step rounds.
    if grid is None or g.float == F16 \
            and max(peaks) > MANTISSA[F16] * 2.0 ** grid:
        errors = [error + counts[run] * g.rounding * peaks[run]
                  for run, error in enumerate(errors)]
    return [g.computed(g.float, arrays, list(errors), grid, peaks)
            for arrays in outputs]


def op_scan(g):
    """A sum along an axis and what it was at each step."""
    x = g.pick(g.float, rank=(2, 3))
    axis, place = (g.between(0, x.rank - 1) for _ in range(2))
    backward, filled_backward = (g.between(0, 1) for _ in range(2))
    start = g.input(g.float, x.sizes[:axis] + x.sizes[axis + 1:])
    sums = [begin + np.cumsum(np.moveaxis(array, axis, 0)[::1 - 2 * backward],
                              0)
            for begin, array in zip(start.arrays, x.arrays)]
    last = [steps[-1] if len(steps) else begin
            for steps, begin in zip(sums, start.arrays)]
    stacked = [np.moveaxis(steps[::1 - 2 * filled_backward], 0, place)
               for steps in sums]
    g.emit("Scan", [start, x],
           summed(g, start, x, x.sizes[axis], (last, stacked)),
           body=sum_body(g, start), num_scan_inputs=1, scan_input_axes=[axis],
           scan_input_directions=[backward], scan_output_axes=[place],
           scan_output_directions=[filled_backward])


def op_scan_of_parts(g):
    """The same for each part of a tensor, which no other part decides."""
    x = g.pick(g.float, rank=(3,))
    start = g.input(g.float, x.sizes[2:])
    part, last, each = (g.name("b") for _ in range(3))
    rows = Value(g.float, [np.zeros((1, 1))] * g.runs)
    inner = helper.make_node(
        "Scan", [start.name, part], [last, each], g.name("node"),
        body=sum_body(g, start), num_scan_inputs=1)
    body = helper.make_graph([inner], g.name("body"), [info(rows, part)],
                             [info(start, last), info(rows, each)])
    g.used.add(start.name)
    sums = [begin + np.cumsum(array, 1)
            for begin, array in zip(start.arrays, x.arrays)]
    g.emit("Scan", [x], summed(g, start, x, x.sizes[1], (
        [begin + array.sum(1) for begin, array
         in zip(start.arrays, x.arrays)], sums)),
        body=body, num_scan_inputs=1)


OPERATORS = {op_layer: 3, op_scan: 1, op_scan_of_parts: 1}
