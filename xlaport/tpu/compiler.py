"""Has the compiler of TPUs compile a graph, in a process of its own, and remembers what came of it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import pkgutil
import re
import signal
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xlaport.caching.store import Store
from xlaport.errors import UserError
from xlaport.tpu.chips import Chip
from xlaport.tpu.cutting import first_breaking
from xlaport.tpu.labels import donors, labelled
from xlaport.tpu.lines import Lines
from xlaport.tpu.module import read_module
from xlaport.tpu.needed import INSTALL, NEEDED, lacking
from xlaport.tpu.spreading import ONE, Spread, as_on_chips
from xlaport.verify.wire import encoded, message_of

_PLANNED, _FINAL = ".after_optimizations.hlo.pb", ".after_codegen.hlo.pb"
"""How the names of the dumps end of which one has the plan of the memory, and the other the estimates of cycles."""
_MODULE, _PLAN = 1, 3
"""Fields of an ``HloProto``."""
_QUIET = {
    "JAX_PLATFORMS": "cpu",
    "TPU_SKIP_MDS_QUERY": "1",
    "TPU_WORKER_HOSTNAMES": "localhost",
    "TPU_WORKER_ID": "0",
    "ALLOW_MULTIPLE_LIBTPU_LOAD": "1",
    "TPU_LOG_DIR": "disabled",
    "TPU_MIN_LOG_LEVEL": "3",
    "TPU_STDERR_LOG_LEVEL": "3",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}
"""A machine that is no TPU's, and neither logs nor a lock in the temporary folder: several may compile at once."""
_FATAL = re.compile(r"F\d{4} ")
"""How a line begins that tells why libtpu ends its process."""
_NOISE = "Failed to find host bounds"
_TOLD = 400
"""Characters of the compiler's own words that are shown, at most."""
_ASK = """
import importlib.metadata as metadata, json
def version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
print(json.dumps({name: version(name) for name in %r}))
"""


@dataclass(frozen=True)
class Compiled:
    """What a compiler made of a graph for a chip.

    `error` is what it said where it did not take the graph; the rest is empty then. `dump` is an ``HloProto`` of the
    module behind all passes, with its plan of the memory. `peak` and `sizes` (bytes: ``argument``, ``output``,
    ``alias``, ``temp``, ``generated_code``) are the compiler's own figures; `seconds`: how long it took.
    """

    error: str = ""
    dump: bytes = b""
    peak: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0


class _BrokenDown(Exception):
    """That the compiler's process ended within its work, and what is known of why."""


class Compiler:
    """The compiler that one Python has, for graphs as torch_xla dumps them."""

    def __init__(
        self, python: str, store: Store, timeout: float, tell: Callable[[str], None] = lambda what: None
    ) -> None:
        """`timeout`: seconds for one graph; `tell` is told what takes time beside it. Raises `UserError` where this
        Python has no compiler that is known.
        """
        self._python, self._store, self._timeout, self._tell = python, store, timeout, tell
        self._versions = _versions(python)

    def compiled(self, dump: bytes, chip: Chip, name: str = "a graph", spread: Spread = ONE) -> Compiled:
        """What the compiler makes of a dumped graph, which errors call by its `name`, spread over the chips like this.

        Raises `UserError` where the compiler breaks, or takes too long: nothing is known of the graph then.
        """
        module = as_on_chips(labelled(dump), spread)
        asked = {
            "topology": chip.topology,
            "host": chip.host,
            "core": chip.core,
            "replicas": spread.replicas,
            "partitions": spread.partitions,
            "donors": donors(module),
        }
        settings = json.dumps([asked, self._versions, _source()], sort_keys=True)
        key = f"tpu {hashlib.sha256(settings.encode() + module).hexdigest()}"
        kept = self._store.get(key)
        if kept is not None:
            found: Compiled = pickle.loads(zlib.decompress(kept))
            return found
        try:
            made = self._tried(module, chip, asked, name)
        except _BrokenDown as broken:
            where, cure = self._where(dump, module, chip, asked, f"{key} breaks"), "compile for another chip"
            if where:
                over, cure = f"{where}, in {name}", f"{cure}, or write that line another way"
            else:
                over, cure = name, f"{cure}, or a part of the script, to find what it does not bear"
            raise UserError(
                f"--tpu {chip.code}: the compiler of TPUs broke down over {over}: {broken}; with torch_xla 2.9, it "
                f"would on that TPU, too: {cure}"
            ) from None
        self._store.put(key, zlib.compress(pickle.dumps(made)))
        return made

    def _where(self, dump: bytes, module: bytes, chip: Chip, asked: Mapping[str, Any], key: str) -> str:
        """The operation of a module that the compiler breaks down over, with its line; empty where it is not found."""

        def breaks(part: bytes) -> bool:
            try:
                self._tried(part, chip, {**asked, "donors": ()}, "a part of a graph")
            except _BrokenDown:
                return True
            except UserError:  # it took too long
                return False
            return False

        kept = self._store.get(key)
        if kept is None:
            self._tell(f"the compiler for {chip.name} broke down: looking for the operation, a few compiles more")
            found = first_breaking(module, breaks)
            self._store.put(key, json.dumps(found).encode())
        else:
            found = json.loads(kept)
        if found is None:
            return ""
        traced = read_module(dump)
        operation, site = traced.operations.get(found), Lines(traced).site(found)
        if operation is None:
            return ""
        named = operation.source_op.replace("aten__", "aten::") or operation.op
        return f"{named} of {Path(site.path).name}:{site.line}" if site is not None else named

    def _tried(self, module: bytes, chip: Chip, asked: Mapping[str, Any], name: str) -> Compiled:
        with tempfile.TemporaryDirectory(prefix="xlaport-tpu-", ignore_cleanup_errors=True) as folder:
            return self._run(module, chip, asked, Path(folder), name)

    def _run(self, module: bytes, chip: Chip, asked: Mapping[str, Any], folder: Path, name: str) -> Compiled:
        graph = folder / "graph.hlo.pb"
        graph.write_bytes(module)
        question = {**asked, "graph": str(graph), "folder": str(folder), "environment": _QUIET}
        code, said = self._ended(json.dumps(question), chip, folder, name)
        result = folder / "result.json"
        if not result.exists():
            lines = (line for line in said.splitlines() if not line.startswith(_NOISE))
            why = _short(next((line for line in lines if _FATAL.match(line)), _signal(code)))
            raise _BrokenDown(why)
        told = json.loads(result.read_text(encoding="utf-8"))
        if "broken" in told:
            raise UserError(f"--tpu {chip.code}: the compiler of TPUs did not start: {_short(told['broken'])}")
        if "error" in told:
            return Compiled(error=told["error"])
        planned, final = (self._dump(folder, end, chip) for end in (_PLANNED, _FINAL))
        dump = encoded([(_MODULE, final[_MODULE][0]), *((_PLAN, plan) for plan in planned.get(_PLAN, []))])
        return Compiled("", dump, told["peak"], told["sizes"], told["seconds"])

    def _dump(self, folder: Path, end: str, chip: Chip) -> dict[int, list[Any]]:
        found = list(folder.rglob(f"*{end}"))
        if len(found) != 1:
            raise UserError(f"--tpu {chip.code}: the compiler of TPUs left {len(found)} files *{end}, not one")
        return message_of(found[0].read_bytes())

    def _ended(self, question: str, chip: Chip, folder: Path, name: str) -> tuple[int, str]:
        """How a compiling process ends, and what it says on standard error until then."""
        ours = {name: value for name, value in os.environ.items() if name not in ("XLA_FLAGS", "LIBTPU_INIT_ARGS")}
        with subprocess.Popen(
            [self._python, "-c", _source()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**ours, **_QUIET},
            start_new_session=True,
            text=True,
            errors="replace",
        ) as process:
            try:
                _, said = process.communicate(question, self._timeout)
            except subprocess.TimeoutExpired:
                raise UserError(
                    f"--tpu {chip.code}: the compiler of TPUs took more than {self._timeout:.0f} s for {name}; "
                    "give it longer with --tpu-timeout, or a smaller model"
                ) from None
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
            return process.returncode, said


def _source() -> str:
    data = pkgutil.get_data(__package__, "child.py")
    assert data is not None
    return data.decode("utf-8")


def _versions(python: str) -> dict[str, str]:
    """Those of jax, jaxlib and libtpu; `UserError` where one is missing, or another one than is known here."""
    try:
        ask = _ASK % list(NEEDED)
        answer = subprocess.run([python, "-c", ask], capture_output=True, text=True, timeout=60, check=True)
        found: dict[str, str] = json.loads(answer.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise UserError(f"{python} does not work as a Python interpreter: {error}") from error
    if lacks := lacking(found):
        raise UserError(
            f"--tpu: {python} has {lacks}: what compiles for a TPU that is not there; "
            f"run  {INSTALL}  there (Linux, Python 3.11 or later), or leave out --tpu"
        )
    return found


def _signal(code: int) -> str:
    """How a process ended, in a word."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"exit code {code}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TOLD else line[: _TOLD - 1] + "…"
