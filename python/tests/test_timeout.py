# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilations that take long: they say so, and end where they are told to."""

import io
import sys
import time

import pytest

import nacre
from nacre import builders, cli, progress


@pytest.fixture
def slow(tmp_path, monkeypatch):
    """A compiler that takes its time, and removes what it wrote when ended."""
    tool = tmp_path / "nacre"
    tool.write_text(f"""#!/bin/sh
trap 'rm {tmp_path}/begun; exit 1' TERM
touch {tmp_path}/begun
sleep 30 >/dev/null 2>&1 & wait
""")
    tool.chmod(0o755)
    monkeypatch.setenv("NACRE_BIN_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("kind", [nacre.NacreError, TimeoutError])
def test_timeout_raises_an_error_of_nacres_and_ends_the_compiler(slow, kind):
    model = builders.chain(["Neg"], [3])
    start = time.monotonic()
    with pytest.raises(kind, match="compiling 'model' took longer than 0.5 s"):
        nacre.InferenceSession(model, timeout=0.5)
    assert time.monotonic() - start < 20
    assert not (slow / "begun").exists()


def test_timeout_of_any_command_names_it(slow):
    with pytest.raises(nacre.Timeout, match="nacre info x` did not end within"):
        cli.nacre("info", "x", timeout=0.3)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("stream, seconds, shows", [
    (Terminal, 0.3, True), (Terminal, 0, False), (io.StringIO, 0.3, False)],
    ids=["long", "short", "piped"])
def test_progress_shows_on_terminals_when_it_takes_long(
        monkeypatch, stream, seconds, shows):
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr("sys.stderr", stream())
    with progress.shown("compiling 'x'"):
        time.sleep(seconds)
        text = sys.stderr.getvalue()
    assert ("nacre: compiling 'x', " in text) == shows
    if shows:   # nothing of it stays
        assert sys.stderr.getvalue().endswith(" \r")
    else:
        assert sys.stderr.getvalue() == ""
