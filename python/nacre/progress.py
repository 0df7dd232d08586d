# ===- progress.py - A sign of life ----------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows on a terminal that something takes its time, and how long."""

import contextlib
import sys
import threading
import time

from nacre import options

# What ends sooner shows nothing.
PATIENCE_SECONDS = 1.0


@contextlib.contextmanager
def shown(what):
    """While the block runs: a line on stderr that says WHAT and the seconds
    since, if stderr is a terminal and warnings are not silenced."""
    stream = sys.stderr
    if stream is None or not stream.isatty() or options.is_quiet():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_show, args=(stream, what, done),
                              daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show(stream, what, done):
    start = time.monotonic()
    wide = 0
    while not done.wait(PATIENCE_SECONDS):
        line = f"nacre: {what}, {time.monotonic() - start:.0f} s"
        wide = max(wide, len(line))
        stream.write(f"\r{line}")
        stream.flush()
    if wide:
        stream.write("\r" + " " * wide + "\r")
        stream.flush()
