"""What is said of environment variables, held against the installed torch_xla."""

from __future__ import annotations

import importlib.util
import mmap
import re
from functools import cache
from pathlib import Path

import pytest

from rules._lib.legacy import old_variables
from xlaport.doctor import State
from xlaport.doctor.variables import Entry, entries, look_at
from xlaport.targets.known import target

NAMED = [(name, entry) for entry in entries() for name in entry.names if "*" not in name]


@cache
def package() -> Path:
    spec = importlib.util.find_spec("torch_xla")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@cache
def sources() -> str:
    """torch_xla's Python, without the table of names, of which some are read nowhere."""
    files = (path for path in package().rglob("*.py") if path.name != "xla_env_vars.py" and "test" not in path.parts)
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    table = (package() / "core" / "xla_env_vars.py").read_text(encoding="utf-8")
    used = [name for key, name in re.findall(r"(\w+) = '(\w+)'", table) if re.search(rf"\bxenv\.{key}\b", text)]
    return text + "\n" + "\n".join(used)


@cache
def library() -> mmap.mmap:
    (path,) = package().parent.glob("_XLAC*.so")
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def is_read(name: str) -> bool:
    """Whether torch_xla's Python names a variable, or its library holds the name."""
    return re.search(rf"\b{name}\b", sources()) is not None or library().find(name.encode() + b"\0") >= 0


@pytest.mark.parametrize(("name", "entry"), NAMED, ids=[name for name, _ in NAMED])
def test_what_works_is_read_by_torch_xla_and_what_is_ignored_is_not(name: str, entry: Entry) -> None:
    warned_of = re.search(r"deprecated_env_vars = \[([^\]]*)\]", sources())
    assert warned_of is not None
    only_a_warning = name in warned_of[1] and library().find(name.encode() + b"\0") < 0
    assert is_read(name) == (entry.state is not State.IGNORED or only_a_warning)


def test_the_table_is_in_order() -> None:
    names = [name for name, _ in NAMED]
    assert len(names) == len(set(names))
    for entry in entries():
        assert not entry.what.endswith(".")
        assert entry.what[0].islower() or entry.what[0].isdigit()


@pytest.mark.parametrize("name", ["XRT_TPU_CONFIG", "XRT_SHARD_WORLD_SIZE", *(name for name, _ in NAMED)])
def test_the_doctor_and_the_rules_say_the_same_of_old_variables(name: str) -> None:
    (variable,) = look_at({name: "1"})
    old = old_variables.find(name, target("2.9"))
    if old is not None:
        assert variable.state in (State.IGNORED, State.DEPRECATED)
        assert not old.is_dead or variable.state is State.IGNORED
    if variable.state is State.DEPRECATED:
        assert old is not None


def test_only_what_is_set_and_is_ours_is_spoken_of() -> None:
    said = look_at({"HOME": "/root", "PJRT_DEVICE": "CPU", "CUDA_VISIBLE_DEVICES": "0", "XRT_WORKERS": "a"})
    assert [(item.name, item.state) for item in said] == [("PJRT_DEVICE", State.WORKS), ("XRT_WORKERS", State.IGNORED)]


def test_a_misspelled_variable_is_told() -> None:
    (ours,) = look_at({"XLA_USE_BFLOAT16": "1"})
    assert ours.state is State.IGNORED
    assert "misspelled" in ours.what
    (tpu,) = look_at({"TPU_SOMETHING": "1"})
    assert tpu.state is State.UNKNOWN


@pytest.mark.parametrize(
    ("value", "is_off"), [("1", False), ("true", False), ("0", False), ("True", True), ("on", True)]
)
def test_a_switch_that_torch_xla_takes_for_off(value: str, is_off: bool) -> None:
    (variable,) = look_at({"XLA_IR_DEBUG": value})
    assert ("is off" in variable.what) == is_off


@pytest.mark.parametrize(("value", "words"), [("CUDA", "CUDA has gone"), ("FOO", "needs a plugin"), ("TPU", "the CPU")])
def test_a_device_that_is_none(value: str, words: str) -> None:
    (variable,) = look_at({"PJRT_DEVICE": value})
    assert variable.what.endswith(words) or words in variable.what
    assert bool(variable.advice) == (value == "CUDA")


def test_a_library_that_is_not_there(tmp_path: Path) -> None:
    (variable,) = look_at({"TPU_LIBRARY_PATH": str(tmp_path / "libtpu.so")})
    assert "no such file" in variable.what


def test_a_long_value_is_cut() -> None:
    (variable,) = look_at({"XLA_FLAGS": "x" * 5000})
    assert len(variable.value) < 300
