"""The house rules: small modules, one direction of imports, and who may know what."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted([*(ROOT / "xlaport").rglob("*.py"), *(ROOT / "rules").rglob("*.py")])


def module_name(path: Path) -> str:
    """The name by which the module is imported when it is installed."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(["xlaport", *parts] if parts[0] == "rules" else parts)


NAMES = {module_name(path): path for path in MODULES}


def imported(path: Path) -> set[str]:
    """The modules of this project that a module imports, be it for type checkers alone."""
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
            module = f"{base}.{node.module}" if node.level and node.module else base if node.level else node.module
            assert module is not None
            # `from package import module` needs the module; the package's own body may still be running.
            found |= {name if (name := f"{module}.{alias.name}") in NAMES else module for alias in node.names}
    return found & set(NAMES) - {module_name(path)}


@pytest.mark.parametrize("path", MODULES, ids=[module_name(path) for path in MODULES])
def test_a_module_has_at_most_400_lines_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    assert ast.get_docstring(ast.parse(text))


def test_imports_run_in_one_direction_those_for_type_checkers_too() -> None:
    graph = {name: imported(path) for name, path in NAMES.items()}
    while True:
        leaves = {name for name, needs in graph.items() if not needs}
        if not leaves:
            break
        graph = {name: needs - leaves for name, needs in graph.items() if name not in leaves}
    assert graph == {}, f"a circle among {sorted(graph)}"


def test_the_engine_imports_no_rule_and_only_the_report_knows_both_halves() -> None:
    for name, path in NAMES.items():
        if name.startswith("xlaport.rules"):
            continue
        assert not any(other.startswith("xlaport.rules") for other in imported(path)), name
        if name.startswith("xlaport.verify"):
            allowed = ("xlaport.verify", "xlaport.errors", "xlaport.wording")
            others = imported(path) - {"xlaport"}  # which says its version, and nothing else
            assert all(other.startswith(allowed) for other in others), name


OF_RULES = {name: path for name, path in NAMES.items() if name.startswith("xlaport.rules.")}
RULES = {
    name: path
    for name, path in OF_RULES.items()
    if re.search(r'^    code = "XP\d', path.read_text("utf-8"), re.MULTILINE)
}


def test_a_rule_stands_in_its_family_under_its_code_and_name() -> None:
    assert len(RULES) > 100
    for name in RULES:
        text = OF_RULES[name].read_text("utf-8")
        code, title = (re.findall(rf'^    {key} = "(.+)"$', text, re.M) for key in ("code", "name"))
        own = f"{code[0].lower()}_{title[0].replace('-', '_')}"
        parts = name.split(".")[3:]
        assert parts in ([own], [own, "rule"]), f"{name}: call it {own}.py, or {own}/rule.py where it has modules"


def test_what_rules_share_stands_in_lib() -> None:
    """So that a rule can be changed without looking at the others: a module of one rule serves that one alone."""
    for name, path in OF_RULES.items():
        package = name.split(".")[:4] if name.count(".") > 3 or path.name == "__init__.py" else []
        for other in imported(path):
            if other.startswith("xlaport.rules.") and not other.startswith("xlaport.rules._lib"):
                assert other.split(".")[:4] == package, f"{name} imports {other}"
                assert other not in RULES, f"{name} imports {other}"


def test_only_what_runs_in_a_child_imports_torch() -> None:
    for name, path in NAMES.items():
        if name.startswith("xlaport.verify.probe") or name == "xlaport.doctor.first_graph":
            continue  # these run in a child process
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not any(n.split(".")[0] in ("torch", "torch_xla", "_XLAC") for n in names), name


def test_the_names_of_a_target_are_in_its_table_alone() -> None:
    """A rule asks the target for a spelling; in its messages and its page it may speak of torch_xla."""
    for name, path in NAMES.items():
        if name.startswith(("xlaport.targets.", "xlaport.verify")):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.fullmatch(r"(import )?(torch_xla|torch_tpu|torch\.tpu)(\.\w+)+", node.value), (
                    f"{name}:{node.lineno}"
                )
