"""`make quick`: which tests a change reaches, and that the nearest of them run until the time is up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.reach import changes
from tools.reach.checkout import Checkout, module_name
from tools.reach.plan import DEADLINE, PLAN, Plan, plan
from tools.reach.starts import Starts

ROOT = Path(__file__).parents[2]
RULE = 'from . import helper\nclass R:\n    code = "XP{}"\n'
FILES = {
    "README.md": "Read me.\n",
    "notes.txt": "Nobody reads this.\n",
    "xlaport/__init__.py": "",
    "xlaport/__main__.py": "from xlaport import cli\n",
    "xlaport/cli.py": "def main():\n    from xlaport.report import page\n",
    "xlaport/facts.py": "",
    "xlaport/judge.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from xlaport import facts\n",
    "xlaport/report/__init__.py": "",
    "xlaport/report/page.py": 'STYLE = "page.css"\n',
    "xlaport/report/page.css": "a {}\n",
    "xlaport/verify/__init__.py": "def verify(): ...\n",
    "rules/__init__.py": "",
    "rules/step/__init__.py": "",
    "rules/step/helper.py": "from xlaport.facts import Names\n",
    "rules/step/first.py": RULE.format(201),
    "rules/step/second.py": 'class R:\n    code = "XP202"\n',
    "rules/step/texts.toml": '[XP201.a]\nmessage = "a"\n[XP202.a]\nmessage = "b"\n',
    "tests/conftest.py": "",
    "tests/child.py": "import subprocess\ndef start(module): ...\n",
    "tests/measure.py": "import torch\n",
    "tests/tools/test_house.py": "def test_all(): ...\n",
    "tests/test_rules.py": "import xlaport.judge\ndef test_case(): ...\n",
    "tests/test_recipes.py": "",
    "tests/test_pages.py": "",
    "tests/test_facts.py": "from xlaport.facts import a\ndef test_a(): ...\n",
    "tests/test_cli.py": 'import sys\nRUN = [sys.executable, "-m", "xlaport"]\ndef test_a():\n    RUN\n',
    "tests/test_second.py": 'def test_a():\n    assert "XP202 unsafe"\n',
    "tests/test_first.py": "from xlaport.rules.step import first\n",
    "tests/test_readme.py": 'README = "README.md"\n',
    "tests/step/test_family.py": "",
    "tests/verify/conftest.py": "from xlaport.verify import verify\ndef check():\n    return verify\n",
    "tests/verify/test_verify.py": "def test_run(check): ...\ndef test_words(other): ...\n",
    "tests/test_torch.py": (
        "from tests.child import start\nMODULE = 'tests.measure'\n"
        "def test_a():\n    start(MODULE)\ndef test_b(): ...\n"
        "class TestC:\n    def test_d(self):\n        import torch\n    def test_e(self): ...\n"
    ),
    "tests/snapshots/XP201/case/before.py": "import torch\n",
    "samples/one/train.py": "import torch\n",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return Checkout(tmp_path, list(FILES), ["tests/snapshots", "samples"])


def reached(checkout: Checkout, *changed: str) -> dict[str, list[str] | None]:
    """The files of tests that changes reach, in order, and of which rules; that which always runs is left out."""
    found = plan(checkout, changed, lambda file: FILES[file])
    assert "tests/tools/test_house.py" in found.files
    return {file: each.codes for file, each in found.files.items() if file != "tests/tools/test_house.py"}


def test_what_is_imported_lazily_or_started_is_needed_and_what_is_for_type_checkers_is_not(checkout: Checkout) -> None:
    assert checkout.needs["xlaport/cli.py"] >= {"xlaport/report/page.py", "xlaport/report/__init__.py"}
    assert "xlaport/__main__.py" in checkout.needs["tests/test_cli.py"]
    assert "xlaport/facts.py" not in checkout.needs["xlaport/judge.py"]
    assert "tests/conftest.py" in checkout.needs["tests/verify/test_verify.py"]


def test_rules_have_two_names(checkout: Checkout) -> None:
    assert "rules/step/helper.py" in checkout.needs["rules/step/first.py"]
    assert "rules/step/first.py" in checkout.needs["tests/test_first.py"]
    assert module_name("rules/step/__init__.py") == "rules.step"


def test_a_module_reaches_what_imports_it_the_nearest_first(checkout: Checkout) -> None:
    assert list(reached(checkout, "xlaport/report/page.py")) == ["tests/test_cli.py"]
    found = reached(checkout, "xlaport/facts.py")
    assert next(iter(found)) == "tests/test_facts.py"
    assert found["tests/test_rules.py"] == ["XP201"], "by way of a rule, whose cases these are"
    assert "tests/test_cli.py" not in found


def test_a_rule_reaches_its_cases_its_family_and_those_that_name_it(checkout: Checkout) -> None:
    assert reached(checkout, "rules/step/second.py") == {
        "tests/test_pages.py": ["XP202"],
        "tests/test_recipes.py": ["XP202"],
        "tests/test_rules.py": ["XP202"],
        "tests/step/test_family.py": ["XP202"],
        "tests/test_second.py": ["XP202"],
    }
    assert reached(checkout, "rules/step/first.py")["tests/test_first.py"] is None


def test_a_case_reaches_the_cases_of_its_rule(checkout: Checkout) -> None:
    by_rule = {"tests/test_pages.py": ["XP201"], "tests/test_recipes.py": ["XP201"], "tests/test_rules.py": ["XP201"]}
    assert reached(checkout, "tests/snapshots/XP201/case/before.py") == by_rule


def test_texts_reach_the_rules_whose_texts_differ(checkout: Checkout) -> None:
    assert reached(checkout, "rules/step/texts.toml") == {}
    texts = checkout.root / "rules/step/texts.toml"
    texts.write_text(FILES["rules/step/texts.toml"].replace('"b"', '"c"'))
    assert reached(checkout, "rules/step/texts.toml")["tests/test_rules.py"] == ["XP202"]
    texts.write_text(f"{FILES['rules/step/texts.toml']}[phrases]\nx = 'y'\n")
    assert reached(checkout, "rules/step/texts.toml")["tests/test_rules.py"] == ["XP201", "XP202"]


def test_other_files_reach_those_that_name_them(checkout: Checkout) -> None:
    assert list(reached(checkout, "README.md")) == ["tests/test_readme.py"]
    assert list(reached(checkout, "xlaport/report/page.css")) == ["tests/test_cli.py"]
    found = plan(checkout, ["notes.txt", "gone.txt"], lambda file: "")
    assert (list(found.files), found.unread) == (["tests/tools/test_house.py"], ["notes.txt"])


def test_nothing_is_reached_where_nothing_changed(checkout: Checkout) -> None:
    assert plan(checkout, [], lambda file: "") == Plan({}, [])


def test_tests_that_start_torch_are_left_out_but_those_that_changed(checkout: Checkout) -> None:
    starts = Starts(checkout)
    assert starts.tests("tests/test_torch.py") == (["test_b", "TestC::test_e"], ["test_a", "TestC::test_d"])
    assert starts.tests("tests/verify/test_verify.py") == (["test_words"], ["test_run"])
    changed = plan(checkout, ["tests/child.py"], lambda file: "")
    assert changed.files["tests/test_torch.py"].left == ["test_a", "TestC::test_d"]
    changed = plan(checkout, ["tests/child.py", "tests/test_torch.py"], lambda file: "")
    assert changed.files["tests/test_torch.py"].left == []
    assert plan(checkout, ["xlaport/verify/__init__.py"], lambda file: "").files["tests/verify/test_verify.py"].left


def test_what_changed_is_what_is_committed_since_main_and_what_is_not(tmp_path: Path) -> None:
    def commit(*names: str) -> None:
        for name in names:
            (tmp_path / name).write_text(f"{names}")
        changes.git(tmp_path, "add", ".")
        changes.git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")

    changes.git(tmp_path, "init", "-q", "-b", "main")
    commit("a.py", "b.py", ".gitignore")
    changes.git(tmp_path, "checkout", "-qb", "work")
    commit("c.py")
    (tmp_path / "a.py").write_text("changed")
    (tmp_path / "new.py").write_text("new")
    (tmp_path / "b.py").unlink()
    since = changes.base(tmp_path)
    assert changes.changed(tmp_path, since) == ["a.py", "b.py", "c.py", "new.py"]
    assert changes.files(tmp_path) == [".gitignore", "a.py", "c.py", "new.py"]
    assert changes.before(tmp_path, since, "a.py") == "('a.py', 'b.py', '.gitignore')"
    assert changes.before(tmp_path, since, "c.py") == ""


TESTS = """\
import pytest
@pytest.mark.parametrize("case", ["XP201-a", "XP201-b", "XP202-a", "XP203-a"])
def test_case(case): ...
class TestOther:
    def test_slow(self): ...
    def test_quick(self): ...
"""


def run(folder: Path, until: float, *options: str) -> str:
    (folder / "test_far.py").write_text("def test_far(): ...\n")
    (folder / "test_near.py").write_text(TESTS)
    chosen = {
        "test_near.py": {"distance": 1, "codes": ["XP201", "XP202"], "left": ["TestOther::test_slow"]},
        "test_far.py": {"distance": 3, "codes": None, "left": []},
    }
    (folder / "plan.json").write_text(json.dumps(chosen))
    environment = {**os.environ, PLAN: str(folder / "plan.json"), DEADLINE: str(until), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "tools.reach.chosen", "--rootdir", ".", *options],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_the_chosen_tests_run_the_nearest_first_and_one_of_each_rule_before_another(tmp_path: Path) -> None:
    said = run(tmp_path, time.time() + 100)
    ran = [line.split()[0].partition("::")[2] for line in said.splitlines() if " PASSED" in line]
    assert ran == [
        "test_case[XP201-a]", "test_case[XP202-a]", "TestOther::test_quick", "test_case[XP201-b]", "test_far",
    ]  # fmt: skip
    assert "5 passed, 2 deselected" in said
    assert "not begun" not in said


def test_what_has_not_begun_in_time_is_counted(tmp_path: Path) -> None:
    late = "5 tests, the farthest from the change, were not begun"
    assert late in run(tmp_path, 0)
    assert late in run(tmp_path, 0, "-n", "2")
