# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments that say which graphs to draw."""

import argparse
import secrets


def parser(description, graphs):
    """An argument parser that knows --seed, --first, --graphs, by default
    `graphs`, --only and --batch."""
    result = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter)
    result.add_argument("--seed", type=int,
                        help="where the graphs follow from (default: a new "
                        "one)")
    result.add_argument("--first", type=int, default=0,
                        help="number of the first graph (default: 0)")
    result.add_argument("--graphs", type=int, default=graphs,
                        help="how many graphs (default: %(default)s)")
    result.add_argument("--only", metavar="WORD",
                        help="only operators drawn by a function, or of a "
                        "family, named so")
    result.add_argument("--batch", type=int, default=5,
                        help="graphs per model (default: %(default)s)")
    return result


def announce(args):
    """Draws a seed where none is given, and prints which graphs follow."""
    if args.seed is None:
        args.seed = secrets.randbelow(10 ** 6)
    print(f"seed {args.seed}, graphs {args.first} to "
          f"{args.first + args.graphs - 1}", flush=True)
