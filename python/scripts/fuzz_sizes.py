#!/usr/bin/python3
# ===- fuzz_sizes.py - Random graphs of dynamic sizes, against numpy --------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws random ONNX graphs of dynamic sizes, compiles each once and runs it at many
sizes in one process, where an access beyond a buffer ends it.

The graphs follow from the seed. A graph that fails is saved with its inputs and
what numpy computes from them.

examples:
  fuzz_sizes.py --graphs=1000
  fuzz_sizes.py --seed=7 --first=132 --graphs=1 --reduce
  fuzz_sizes.py --only=movement --graphs=200
  fuzz_sizes.py --rerun build/fuzz/sizes-seed7-graph132
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from onnx import AttributeProto, helper  # noqa: E402

from nacre import cli, suite  # noqa: E402
from nacre.fuzz import arguments, sizes  # noqa: E402
from nacre.fuzz.sizes import engine, reduce  # noqa: E402


def rerun(folders):
    """Runs saved cases again."""
    failed = 0
    for folder in folders:
        case, config = engine.Case.load(folder)
        failure = engine.check(case, [config])
        text = f"{failure.kind}: {failure.message}" if failure else "passes"
        print(f"{folder}: {' '.join(config)}: {text}")
        failed += failure is not None
    return 1 if failed else 0


def describe(graph):
    """The graph in lines, with what sizes are in each run."""
    lines = []
    for value in [*graph.inputs, *graph.initializers]:
        shape = ", ".join(str(size[0] if len(set(size)) == 1 else size)
                          for size in value.sizes)
        elements = f" {value.arrays[0].tolist()}" \
            if value in graph.initializers and value.arrays[0].size < 9 else ""
        lines.append(f"  {value.name}: {value.dtype}[{shape}]{elements}")
    for node in graph.nodes:
        attributes = ", ".join(
            f"{attribute.name}={helper.get_attribute_value(attribute)}"
            for attribute in node.attribute
            if attribute.type != AttributeProto.GRAPH)
        lines.append(f"  {', '.join(node.output)} = {node.op_type}"
                     f"({', '.join(node.input)}) {attributes}")
    return "\n".join([*lines, "  -> " + ", ".join(
        value.name for value in graph.outputs)])


def shrink(args, failures):
    for index, failure in failures:
        # Without one, the graph could not be drawn.
        if not failure.config:
            continue
        print(f"graph {index}:")
        graph, failure = reduce.reduce(
            sizes.generate(args.seed, index, args.only), failure)
        folder = pathlib.Path(args.keep) / \
            f"sizes-seed{args.seed}-graph{index}-reduced"
        case = engine.Case.of(graph)
        case.save(folder, failure, seed=args.seed, graph=index)
        print(f"  {failure.kind}: {failure.message}\n  saved as {folder}")
        print(describe(graph))


def main():
    parser = arguments.parser(__doc__, graphs=500)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--keep", default=cli.ROOT / "build" / "fuzz",
                        help="where failing graphs go (default: %(default)s)")
    parser.add_argument("--operators", action="store_true",
                        help="count the operators that were drawn")
    parser.add_argument("--reduce", action="store_true",
                        help="shrink the graphs that fail")
    parser.add_argument("--rerun", nargs="+", metavar="FOLDER",
                        help="run saved graphs again")
    args = parser.parse_args()
    if args.rerun:
        return rerun(args.rerun)

    start = time.monotonic()
    arguments.announce(args)
    campaign = engine.Campaign(args.seed, args.jobs, args.keep, args.only,
                               lambda text: print(text, flush=True))
    failures = campaign.run(args.first, args.graphs)
    print(f"{campaign.graphs} graphs, {sum(campaign.operators.values())} nodes "
          f"of {len(campaign.operators)} operators in "
          f"{time.monotonic() - start:.0f} s")
    if args.operators:
        for name, count in campaign.operators.most_common():
            print(f"  {count:6} {name}")
    if args.reduce:
        shrink(args, failures)
    wrong = len(failures)
    print(suite.summary(campaign.graphs - wrong, wrong, 0))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
