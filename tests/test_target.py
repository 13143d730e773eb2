"""The table of spellings: every version has its own, and what a version cannot say is said to the user."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator

import pytest

from xlaport import registry
from xlaport.context import Context
from xlaport.engine import Conversion, Settings, convert
from xlaport.errors import UserError
from xlaport.rule import Applicability, Finding, Replace, Rule
from xlaport.target import Unavailable
from xlaport.targets.known import TARGETS, target
from xlaport.targets.torch_xla import VERSIONS

MEANINGS = sorted(target().symbols)

# What the wheels hold (read from their sources): the version that a name came with, where it is not 2.1.
SINCE = {
    "torch_xla.device": "2.3",
    "torch_xla.device_count": "2.3",
    "torch_xla.sync": "2.4",
    "torch_xla.compile": "2.5",
    "torch_xla.launch": "2.5",
    "torch_xla.manual_seed": "2.5",
    "torch_xla.backends.set_mat_mul_precision": "2.8",
    "torch_xla.backends.get_mat_mul_precision": "2.8",
    "torch_xla.core.xla_model.xla_device_kind": "2.6",
    "torch_xla.distributed.spmd.Mesh": "2.2",
    "torch_xla.distributed.spmd.mark_sharding": "2.2",
    "torch_xla.distributed.spmd.ShardingSpec": "2.2",
    "torch_xla.distributed.spmd.get_1d_mesh": "2.5",
    "torch_xla.runtime.initialize_cache": "2.2",
    "torch_xla.debug.profiler.start_trace": "2.7",
    "torch_xla.debug.profiler.stop_trace": "2.7",
}

# An older version has the name, but what it gives is not what is meant.
MEANT_SINCE = {"memory_info": "2.4"}


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@pytest.mark.parametrize("meaning", MEANINGS)
def test_the_newest_column_exists_in_the_installed_torch_xla(meaning: str) -> None:
    symbol = TARGETS["2.9"].symbol(meaning)
    module = importlib.import_module(symbol.imports.module)
    assert callable(getattr(module, symbol.attribute))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_column_holds_nothing_newer_than_its_version(version: str) -> None:
    for meaning in MEANINGS:
        symbol = TARGETS[version].symbol(meaning)
        if TARGETS[version].has(meaning):
            assert number(SINCE.get(symbol.qualified, "2.1")) <= number(version), meaning
        else:
            assert number(MEANT_SINCE.get(meaning) or SINCE[symbol.qualified]) > number(version), meaning


@pytest.mark.parametrize(
    ("version", "meaning", "spelling"),
    [
        ("2.1", "device", "torch_xla.core.xla_model.xla_device"),
        ("2.2", "device", "torch_xla.core.xla_model.xla_device"),
        ("2.3", "device", "torch_xla.device"),
        ("2.4", "sync", "torch_xla.core.xla_model.mark_step"),
        ("2.5", "sync", "torch_xla.sync"),
        ("2.4", "launch", "torch_xla.distributed.xla_multiprocessing.spawn"),
        ("2.5", "launch", "torch_xla.launch"),
        ("2.4", "manual_seed", "torch_xla.core.xla_model.set_rng_state"),
        ("2.5", "manual_seed", "torch_xla.manual_seed"),
        ("2.1", "world_size", "torch_xla.runtime.world_size"),
    ],
)
def test_a_version_has_its_spelling(version: str, meaning: str, spelling: str) -> None:
    assert target(version).symbol(meaning).qualified == spelling


def test_what_a_version_cannot_say_comes_with_the_reason() -> None:
    symbol = target("2.7").symbol("matmul_precision")
    assert isinstance(symbol.imports, Unavailable)
    assert symbol.imports.reason == (
        "torch_xla 2.7 has no torch_xla.backends.set_mat_mul_precision, which came with 2.8"
    )
    assert not target("2.7").has("matmul_precision")
    assert target("2.8").has("matmul_precision")


def test_every_spelling_is_understood_whatever_is_written() -> None:
    for version in TARGETS:
        assert {"torch_xla.sync", "torch_xla.core.xla_model.mark_step"} == target(version).barriers
        assert {"torch_xla.device", "torch_xla.core.xla_model.xla_device"} < target(version).devices


def test_what_torch_tpu_has_no_name_for_comes_with_what_takes_its_place() -> None:
    there = target("torch_tpu")
    assert there.symbol("wait_device_ops").qualified == "torch.accelerator.synchronize"
    lacking = [meaning for meaning in MEANINGS if not there.has(meaning)]
    assert {"sync", "add_step_closure", "device_loader"} < set(lacking)
    for meaning in lacking:
        symbol = there.symbol(meaning).imports
        assert isinstance(symbol, Unavailable)
        assert symbol.reason.startswith("torch_tpu has no ")


def test_a_rule_about_what_a_target_is_not_says_nothing_for_it() -> None:
    codes = {rule.code for rule in registry.about(registry.load(), target("torch_tpu"))}
    assert {"XP101", "XP203", "XP301"} <= codes
    assert not {"XP201", "XP202", "XP305", "XP901"} & codes
    of_torch_xla = {rule.code for rule in registry.about(registry.load(), target())}
    assert {"XP101", "XP201", "XP202", "XP305", "XP901"} <= of_torch_xla
    assert not {"XP611", "XP951", "XP959"} & of_torch_xla
    assert of_torch_xla | codes == {rule.code for rule in registry.load()}


def test_versions_are_compared_by_number() -> None:
    assert target("2.9").is_at_least("2.1")
    assert not target("2.9").is_at_least("2.10")


def test_a_target_has_the_name_of_its_package_too() -> None:
    assert target("torch_xla") is target()
    assert target("torch_tpu").package == "torch_tpu"


@pytest.mark.parametrize("version", ["2.12", "2.0", "foo", "", "2.4.0"])
def test_another_version_is_an_error_that_names_the_choice(version: str) -> None:
    with pytest.raises(UserError, match=r"choose a version of torch_xla, 2\.1, .* 2\.9, or torch_tpu$"):
        target(version)


class FullPrecision(Rule):
    """Ask for full precision where the program says ``precise``."""

    code, name, summary = "XP999", "precise", "full precision"
    applicability = Applicability.SAFE
    words = ("precise",)

    def check(self, context: Context) -> Iterator[Finding]:
        for node in context.module.nodes:
            if isinstance(node, ast.Name) and node.id == "precise":
                text, imports = context.symbol("matmul_precision", node)
                yield self.finding(
                    context.span(node), f"{text} it is", Replace(context.span(node), text), imports=imports
                )


@pytest.mark.parametrize("text", ["precise\n", "import torch_xla.backends\nprecise\n"])
def test_a_finding_that_needs_what_is_not_there_is_manual_and_says_why(text: str) -> None:
    def converted(version: str) -> Conversion:
        return convert(text, "a.py", [FullPrecision()], Settings(target(version)))

    assert converted("2.8").text.endswith("torch_xla.backends.set_mat_mul_precision\n")
    old = converted("2.7")
    assert old.text == text
    (finding,) = old.findings
    assert (finding.fixed, finding.applicability) == (False, Applicability.MANUAL)
    assert finding.message == "torch_xla.backends.set_mat_mul_precision it is"
    assert finding.notes == ("torch_xla 2.7 has no torch_xla.backends.set_mat_mul_precision, which came with 2.8",)
