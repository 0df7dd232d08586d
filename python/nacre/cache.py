# ===- cache.py - Compiled models that stay --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A folder of compiled models, which any number of processes may share.

Every file is written under another name and then renamed, so that nobody sees
half of one. A library ends in a note of its size and of the time it was
written; one that says anything else is damaged and as good as none. The time of
access tells which was used last: when the folder grows beyond its bound, those
go that were not used for longest.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import secrets
import shutil
import struct
import tempfile
import time
import warnings

from nacre import options
from nacre.compiled import CompiledModel
from nacre.errors import InvalidInput

DEFAULT_BOUND = 1 << 30
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_NOTE = struct.Struct("<12sQQ")
_MAGIC = b"nacre-cached"
# A file may change again within the resolution of its times.
_SETTLED_NS = 2 * 10**9
# What a process that was killed leaves behind goes after this time.
_ORPHAN_SECONDS = 3600
# What tells processors apart in /proc/cpuinfo. The rest is of one core, or
# changes from one second to the next.
_CPU_FACTS = ("vendor_id", "cpu family", "model", "stepping", "flags",
              "cache size", "Features", "CPU implementer", "CPU variant",
              "CPU part", "isa", "uarch")


def bound():
    """How many bytes the user's cache may hold: NACRE_CACHE_SIZE, a number
    that may end in K, M, G or T. 0 is no cache."""
    text = os.environ.get("NACRE_CACHE_SIZE", "").strip()
    if not text:
        return DEFAULT_BOUND
    unit = _UNITS.get(text[-1].upper(), 0)
    digits = text[:-1] if unit else text
    if not (digits.isascii() and digits.isdigit()):
        raise InvalidInput("NACRE_CACHE_SIZE expects a number of bytes such as "
                           f"500M, found '{text}'")
    return int(digits) * (unit or 1)


def user_folder():
    """$XDG_CACHE_HOME/nacre, by default ~/.cache/nacre; None without a home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):   # as the specification of the folders says
        base = os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "nacre" if os.path.isabs(base) else None


def open_cache(cache_dir):
    """The cache that a session's option `cache_dir` means: True is the user's,
    a path that folder, None and False none."""
    if cache_dir is None or cache_dir is False:
        return Cache(None)
    if cache_dir is not True:
        folder = pathlib.Path(cache_dir)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if not options.is_quiet():
                warnings.warn(f"cannot keep compiled models in '{folder}': "
                              f"{error.strerror}", stacklevel=3)
            return Cache(None)
        return Cache(folder)
    size, folder = bound(), user_folder()
    if size == 0 or folder is None:
        return Cache(None)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        stat = folder.stat()
    except OSError:
        return Cache(None)
    # Whoever may write there has this process load what they like.
    if stat.st_uid != os.geteuid() or stat.st_mode & 0o022:
        return Cache(None)
    return Cache(folder, size)


class Cache:
    """What was compiled, by name, in FOLDER; without one nothing stays."""

    def __init__(self, folder, size=None):
        self._folder = folder
        self._bound = size

    def library(self, name, build):
        """The compiled model NAME; `build` writes it to a path if need be."""
        found = self._load(name)
        if found:
            return found
        # Not in the cache's folder: if that is full or cannot be written, the
        # model runs all the same. What is loaded needs its file no more.
        with tempfile.TemporaryDirectory(prefix="nacre-") as scratch:
            path = pathlib.Path(scratch) / f"{name}.so"
            build(path)
            # Loaded from here: whatever happens to the file that is kept, this
            # process has its own.
            compiled = CompiledModel(path)
            self._keep(path)
        self._evict()
        return compiled

    def refusal(self, name):
        """What `refuse` noted of NAME, or None."""
        return self._read_note(f"{name}.refused")

    def refuse(self, name, note):
        """Notes why NAME cannot be compiled."""
        self._write_note(f"{name}.refused", note)

    def digest(self, path, data=None):
        """The digest of the file PATH, which holds DATA. It is looked up if the
        file was not touched since it was last computed."""
        path = pathlib.Path(path).resolve()
        facts = path.stat()
        stat = [facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns,
                facts.st_ino, facts.st_dev]
        entry = "path_" + _digest(os.fsencode(path))[:24] + ".json"
        note = self._read_note(entry)
        if note and note.get("stat") == stat and "digest" in note:
            return note["digest"]
        if data is None:
            with open(path, "rb") as file:
                digest = _digest_file(file)
        else:
            digest = _digest(data)
        if time.time_ns() - facts.st_ctime_ns > _SETTLED_NS:
            self._write_note(entry, {"stat": stat, "digest": digest})
        return digest

    def _load(self, name):
        path = self._folder and self._folder / f"{name}.so"
        try:
            if not path or not _is_whole(path):
                return None
            compiled = CompiledModel(path)
        except (OSError, InvalidInput):
            return None   # damaged, or somebody just removed it
        _touch(path)
        return compiled

    def _keep(self, path):
        """Copies the library PATH here, if that can be."""
        if not self._folder:
            return
        with contextlib.suppress(OSError), open(path, "rb") as source, \
                self._replacing(self._folder / path.name) as file:
            shutil.copyfileobj(source, file)
            # Whole seconds, which every file system stores.
            seconds = int(time.time())
            file.write(_NOTE.pack(_MAGIC, file.tell(), seconds))
            file.flush()
            os.fsync(file.fileno())
            os.utime(file.fileno(), (time.time(), seconds))

    @contextlib.contextmanager
    def _replacing(self, path):
        """A file to write, which becomes PATH when all went well."""
        name = self._folder / f".new-{secrets.token_hex(8)}"
        try:
            with open(name, "xb") as file:
                yield file
            os.replace(name, path)
        except BaseException:
            name.unlink(missing_ok=True)
            raise

    def _read_note(self, name):
        if not self._folder:
            return None
        try:
            note = json.loads((self._folder / name).read_bytes())
        except (OSError, ValueError):
            return None
        _touch(self._folder / name)
        return note if isinstance(note, dict) else None

    def _write_note(self, name, note):
        if self._folder:
            with contextlib.suppress(OSError), \
                    self._replacing(self._folder / name) as file:
                file.write(json.dumps(note).encode())

    def _evict(self):
        """Removes what was not used for longest, until the rest fits."""
        if self._bound is None or not self._folder:
            return
        files = []
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._folder):
                with contextlib.suppress(OSError):
                    stat = entry.stat(follow_symlinks=False)
                    files.append((stat.st_atime_ns, stat.st_size, entry.path))
        total = sum(size for _, size, _ in files)
        oldest = time.time_ns() - _ORPHAN_SECONDS * 10**9
        for used, size, path in sorted(files):
            is_orphan = os.path.basename(path).startswith(".new-")
            if used < oldest if is_orphan else total > self._bound:
                with contextlib.suppress(OSError):
                    os.unlink(path)
                    total -= size


def host():
    """What compiled code takes for granted about this machine's processor."""
    facts = [os.uname().machine]
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
        for line in file:
            if not line.strip():   # the other cores are alike
                break
            if line.split(":")[0].strip() in _CPU_FACTS:
                facts.append(line.strip())
    return facts


def _is_whole(path):
    """True if PATH is as it was when it was written."""
    with open(path, "rb") as file:
        stat = os.fstat(file.fileno())
        if stat.st_size < _NOTE.size:
            return False
        file.seek(-_NOTE.size, os.SEEK_END)
        magic, size, seconds = _NOTE.unpack(file.read(_NOTE.size))
    return magic == _MAGIC and stat.st_size == size + _NOTE.size and \
        stat.st_mtime_ns == seconds * 10**9


def _touch(path):
    """Notes that PATH was used now."""
    with contextlib.suppress(OSError):   # the folder may be read-only
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def _digest(data):
    return hashlib.sha256(data).hexdigest()


def _digest_file(file):
    digest = hashlib.sha256()
    while block := file.read(1 << 20):
        digest.update(block)
    return digest.hexdigest()
