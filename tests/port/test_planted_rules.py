"""An unsafe fix that is wrong, beside one that is right, in a real port: the search finds out which is which."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commands.command_line import write

from .test_porting import port, texts

TRAIN = """\
import torch

torch.manual_seed(0)
device = torch.device("cuda")
model = torch.nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
right = 0
for step in range(14):
    x = torch.randn(4, 8).to(device)
    mask = (torch.rand(4) > 0.4).to(device)
    optimizer.zero_grad()
    out = model(x)
    loss = out.pow(2).mean()
    loss.backward()
    optimizer.step()
    right += ((out[:, 0] > 0) & mask).sum().item()
    total += loss.item()
print(f"loss {float(total) / 14:.4f}")
print(f"right {int(right)}")
"""
RULE = """
from xlaport.rule import Applicability, Replace, Rule


class {name}(Rule):
    code, name, summary = "{code}", "{word}", "keeps a sum on the device"
    applicability, words = Applicability.UNSAFE, ("{word}",)

    def check(self, context):
        for name in context.module.attributes.get("item", ()):
            call = context.module.parents[name]
            text = context.module.segment(call)
            if "{word}" in text:
                yield self.finding(context.span(call), "a read", Replace(context.span(call), {new}))
"""
RIGHT = RULE.format(name="Right", code="ZZ1", word="loss", new='text.replace("item", "detach")')
WRONG = RULE.format(name="Wrong", code="ZZ2", word="mask", new='text.replace(".item()", "").replace(" & mask", "")')


def test_what_is_wrong_in_what_is_printed_alone_is_left_out_and_what_is_right_is_kept(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=TRAIN)
    rules = write(tmp_path / "rules", right=RIGHT, wrong=WRONG)
    before = texts(here)
    done = port(here, "--rules", str(rules), "--ignore", "XP302,XP303", "--max-runs", "12", "--output-format", "json")
    found = json.loads(done.stdout)
    assert (found["result"], found["unsafe"], found["rejected"]) == ("fail", ["ZZ1"], ["ZZ2"]), done.stderr
    # The read that the wrong one took away is what is left.
    assert [left["line"] for left in found["left"]] == [17]
    assert texts(here) == before


BOTH = RULE.format(
    name="Both", code="ZZ3", word="item", new='text.replace(".item()", ".detach()").replace(" & mask", "")'
)


def test_of_a_rule_that_is_wrong_in_one_line_the_other_one_is_kept(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=TRAIN)
    rules = write(tmp_path / "rules", both=BOTH)
    done = port(here, "--rules", str(rules), "--ignore", "XP302,XP303", "--max-runs", "12", "--output-format", "json")
    found = json.loads(done.stdout)
    assert found["rejected"] == ["ZZ3 in train.py:17"], done.stderr
    assert found["unsafe"] == ["ZZ3"]
    assert [edit["line"] for edit in found["edits"] if edit["rule"] == "ZZ3"] == [18]
