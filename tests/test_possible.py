"""What may be so: told where something that the code does not say decides it, and never edited by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.command_line import write, xlaport_run
from xlaport import registry, run
from xlaport.caching.store import Store
from xlaport.config import Config
from xlaport.engine import Conversion, Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target

CATALOGUE = registry.load()
RULES = registry.choose(CATALOGUE, (), ())
EVERYTHING = Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}), catalogue=CATALOGUE)
HEAD = "import sys\nimport torch\n\nsmall, large = torch.nn.Linear(8, 1), torch.nn.Linear(8, 1)\n"
TAKE = "optimizer = torch.optim.SGD(small.parameters(), lr=0.1)"
CHOSEN = f"{HEAD}{TAKE}\nchosen = small if len(sys.argv) > 1 else large\nchosen.to(torch_xla.device())\n".replace(
    "import torch\n", "import torch\nimport torch_xla\n", 1
)
STEP = """\
    loss = model(torch.randn(4, 8).to(torch_xla.device())).mean()
    optimizer.zero_grad()
    loss.backward()
"""


def converted(text: str) -> Conversion:
    """The text converted with all rules."""
    return convert(text, "a.py", RULES, EVERYTHING)


def loop(body: str, before: str = "") -> str:
    """A loop around the forward and the backward pass of a model, with more behind it."""
    return (
        "import torch\nimport torch_xla\nfrom elsewhere import unseen\n\nmodel = torch.nn.Linear(8, 1).to("
        f"torch_xla.device())\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n{before}"
        f"for step in range(9):\n{STEP}{body}"
    )


def told(text: str) -> list[tuple[str, int]]:
    """The codes and lines of what may be so."""
    return [(finding.code, finding.line) for finding in converted(text).possible]


class TestOptimizers:
    def test_one_of_two_models_moves(self) -> None:
        conversion = converted(CHOSEN)
        assert conversion.text == CHOSEN
        assert [finding.code for finding in conversion.findings] == []
        (finding,) = conversion.possible
        assert (finding.code, finding.line, finding.is_possible, finding.fix) == ("XP203", 6, True, None)

    @pytest.mark.parametrize(
        "before",
        [
            "small.to(torch_xla.device())\nlarge.to(torch_xla.device())\n",
            "for net in (small, large):\n    net.to(torch_xla.device())\n",
        ],
    )
    def test_nothing_where_both_have_moved(self, before: str) -> None:
        assert told(CHOSEN.replace(TAKE, f"{before}{TAKE}")) == []

    def test_something_unknown_moves(self) -> None:
        text = CHOSEN.replace("small if len(sys.argv) > 1 else large", "sys.modules[sys.argv[1]].net")
        assert told(text) == [("XP203", 6)]

    def test_nothing_where_that_goes_to_the_host(self) -> None:
        text = CHOSEN.replace("chosen.to(torch_xla.device())", 'chosen.to("cpu")')
        assert told(text) == []

    def test_what_is_certain_is_told_once(self) -> None:
        text = CHOSEN.replace("small if len(sys.argv) > 1 else large", "small")
        conversion = converted(text)
        assert [finding.code for finding in conversion.findings] == ["XP203"]
        assert conversion.possible == ()


class TestLoops:
    def test_a_step_that_is_not_in_sight(self) -> None:
        assert told(loop("    unseen()\n")) == [("XP201", 7)]

    @pytest.mark.parametrize("body", ["    optimizer.step()\n", "    unseen()\n    torch_xla.sync()\n"])
    def test_nothing_where_it_steps_or_is_cut(self, body: str) -> None:
        assert told(loop(body)) == []

    def test_a_batch_goes_to_something_unknown(self) -> None:
        text = (
            "import sys\nimport torch\n\ntrainer = sys.modules['a'].b\nloader = torch.utils.data.DataLoader(range(9))\n"
        )
        assert told(f"{text}for batch in loader:\n    trainer.learn(batch)\n") == [("XP201", 6)]
        assert told(f"{text}for batch in loader:\n    print(batch)\n") == []

    def test_the_loop_is_in_a_library_that_nobody_sees(self) -> None:
        text = loop("    optimizer.step()\n    torch_xla.sync()\n") + (
            "def loss_of(batch):\n    return model(batch).mean()\nengine = unseen()\nengine.hooks['a'] = print\n"
        )
        assert told(f"{text}engine.train(loss_of, optimizer)\n") == [("XP201", 17)]
        assert told(f"{text}unseen.fit(loss_of, optimizer=optimizer)\n") == [("XP201", 17)]
        assert told(f"{text}engine.train(optimizer)\nengine.watch(loss_of, optimizer)\n") == []
        assert told(f"{text}torch.fit(loss_of, optimizer)\n") == []


class TestReads:
    def test_what_gets_the_loss_is_unknown(self) -> None:
        step = "    optimizer.step()\n    torch_xla.sync()\n"
        given = f"{step}    watch.update(loss)\n"
        before = "watch = sys.modules['a'].watch\n"
        assert told(loop(given, before)) == [("XP301", 14)]
        assert told(loop(f"{step}    watch.update(step)\n", before)) == []
        assert told(loop(f"{step}    if step % 100 == 0:\n        watch.update(loss)\n", before)) == []


def test_a_comment_asks_to_ignore_it() -> None:
    conversion = converted(CHOSEN.replace(TAKE, f"{TAKE}  # xlaport: ignore[XP203]"))
    assert conversion.possible == ()
    assert [finding.code for finding in conversion.findings] == []  # nor is the comment idle


def test_it_is_counted_and_shown_on_request(tmp_path: Path) -> None:
    write(tmp_path, train=CHOSEN)
    counted = xlaport_run("check", "train.py", cwd=tmp_path)
    assert counted.returncode == 0
    assert counted.stdout == "Nothing certain in 1 Python file; 1 possible (--possible shows it).\n"
    shown = xlaport_run("check", "--possible", "train.py", "--output-format", "concise", cwd=tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith("train.py:6:1: XP203")
    assert shown.stdout.endswith("(possible)\n")
    report = json.loads(xlaport_run("check", "train.py", "--output-format", "json", cwd=tmp_path).stdout)
    assert report["findings"] == []
    assert [(row["code"], row["line"], row["edits"]) for row in report["possible"]] == [("XP203", 6, None)]
    page = tmp_path / "port.html"
    xlaport_run("check", "train.py", "--html", page, cwd=tmp_path)
    assert "What may be so" in page.read_text(encoding="utf-8")
    converted_too = xlaport_run("convert", "train.py", cwd=tmp_path)
    assert "1 possible" in converted_too.stdout
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == CHOSEN


def test_a_second_run_remembers_it(tmp_path: Path) -> None:
    write(tmp_path, train=CHOSEN)
    store = Store(tmp_path / "cache")
    first, second = (run.convert([tmp_path / "train.py"], Config(), run.Effort(store=store)) for _ in range(2))
    assert [finding.line for finding in first.possible] == [6]
    assert second.possible == first.possible
