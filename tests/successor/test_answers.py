"""Every public name of torch_xla has an answer, and what an answer writes exists."""

from __future__ import annotations

import importlib
import json
import operator
import re
import subprocess
import sys
import textwrap

import pytest

from rules._lib.catalogue import Disposition
from rules._lib.legacy import lifetimes
from rules._lib.successor.answers import answers, variable
from xlaport.targets.known import target

ENTRIES = answers().entries
TABLE = lifetimes.FILE.read_text(encoding="utf-8").splitlines()

INSTALLED = """
import importlib, json, os, pkgutil, types
os.environ["PJRT_DEVICE"] = "CPU"
import torch_xla
modules = ["torch_xla"] + [m.name for m in pkgutil.walk_packages(torch_xla.__path__, "torch_xla.", lambda name: None)]
found = []
for name in modules:
    if ".test" in name:
        continue
    try:
        module = importlib.import_module(name)
    except BaseException:
        continue  # it needs jax, or a TPU
    found.append(name)
    for each, value in vars(module).items():
        where = getattr(value, "__module__", None) or name
        if not each.startswith("_") and not isinstance(value, types.ModuleType) and str(where).startswith("torch_xla"):
            found.append(f"{name}.{each}")
print("NAMES" + json.dumps(found))
"""


def of_all_versions() -> list[str]:
    """The names of the table of lifetimes, 2.1 to 2.9."""
    found, module = [], ""
    for line in TABLE:
        if line and not line.startswith(("#", " ")):
            module = line.split()[0]
            found.append(module)
        elif line.startswith(" "):
            found += [f"{module}.{name}" for name in re.sub(r"^  \d\S*: ", "", line).split()]
    return found


def unanswered(names: list[str]) -> list[str]:
    return [n for n in names if answers().find(n) is None and answers().find(f"{n}.x") is None]


def test_every_name_of_all_versions_has_an_answer() -> None:
    names = of_all_versions()
    assert len(names) > 600
    assert unanswered(names) == []


def test_every_public_name_of_the_installed_torch_xla_has_an_answer() -> None:
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(INSTALLED)], capture_output=True, text=True, check=True)
    names = json.loads(run.stdout.partition("NAMES")[2])
    assert len(names) > 400
    assert unanswered(names) == []


def test_a_name_that_no_version_has_is_without_an_answer() -> None:
    assert unanswered(["torch_xla.core.xla_model.not_a_name", "torch_xla.not_a_name"]) == [
        "torch_xla.core.xla_model.not_a_name",
        "torch_xla.not_a_name",
    ]


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_an_answer_says_what_it_has_to(name: str) -> None:
    entry = ENTRIES[name]
    for answer in (entry.answer, *(answer for _, answer in entry.contexts)):
        if answer.disposition is Disposition.MANUAL:
            assert answer.recipe.endswith(".")
        if answer.disposition in (Disposition.MANUAL, Disposition.REMOVE):
            assert answer.why
            assert not answer.why.endswith(".")
        for part in re.findall(r"\{([\w.:]+)\}", answer.target or ""):
            module, colon, attribute = part.partition(":")
            if not colon:
                assert target("torch_tpu").has(part), part
            elif not attribute.startswith("tpu."):  # only there with torch_tpu
                assert operator.attrgetter(attribute)(importlib.import_module(module)) is not None


def test_variables_of_torch_xla_go_and_those_of_others_stay() -> None:
    for name in ("PJRT_DEVICE", "XLA_NO_SPECIAL_SCALARS", "XLA_IR_DEBUG", "XRT_TPU_CONFIG", "CPU_NUM_DEVICES"):
        answer = variable(name)
        assert answer is not None
        assert answer.disposition is Disposition.REMOVE
    for name in ("XLA_FLAGS", "XLA_PYTHON_CLIENT_PREALLOCATE", "PJRT_NAMES_AND_LIBRARY_PATHS", "PJRT_NPROC", "RANK"):
        assert variable(name) is None
    doubtful = variable("XLA_SOMETHING")
    assert doubtful is not None
    assert doubtful.disposition is Disposition.MANUAL
