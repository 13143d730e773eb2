"""The formats for editors, GitHub and code scanning services, held against their own rules."""

from __future__ import annotations

import json
import os
import re
import urllib.parse
import xml.etree.ElementTree as xml
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from xlaport import registry, run
from xlaport.config import Config
from xlaport.report import diff, findings_concise, findings_github, findings_gitlab, findings_junit, findings_sarif
from xlaport.report.view import of_check, of_convert
from xlaport.result import FileError, FileResult, Fix, ReportedFinding, RunResult, TextEdit
from xlaport.rule import Applicability

SCHEMA = json.loads((Path(__file__).parent / "schemas/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
NASTY = "d\u00e9j\u00e0 vu/a,b:c%\n\x1b[2J\udcff#?.py"
TRAIN = """\
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(2, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for _ in range(3):
    loss = model(torch.ones(4, 2, device="cuda")).sum()
    loss.backward()
    optimizer.step()
    total += loss.item()
    if total > 3: torch.cuda.synchronize()
print(total, torch.cuda.memory_summary())
"""


def found(kind: str = "manual", message: str = "it blocks: read it later", **other: Any) -> ReportedFinding:
    row = ReportedFinding("XP301", "item-in-step-loop", message, "s/train.py", 2, 8, 2, 19, Applicability(kind))
    return replace(row, **other)


def result(*findings: ReportedFinding, errors: tuple[FileError, ...] = (), text: str = "a\nb = loss.item()\n") -> Any:
    path = findings[0].path if findings else "a.py"
    return RunResult("torch_xla 2.9", 2, 1, (FileResult(Path(path), text, text, findings),), errors)


def sarif(of: RunResult) -> dict[str, Any]:
    """The only run of the log, which has to be valid."""
    text = findings_sarif.render(of, registry.load())
    assert text.isascii()
    log = json.loads(text)
    errors = sorted(Draft4Validator(SCHEMA).iter_errors(log), key=str)
    assert not errors, errors[:3]
    (only,) = log["runs"]
    assert isinstance(only, dict)
    return only


@pytest.fixture
def train(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text(TRAIN, encoding="utf-8")
    return Path("train.py")


class TestConcise:
    def test_a_line_for_each(self) -> None:
        rows = (
            found("manual", "the host waits for the device here: do not"),
            found("safe", "a\nb", fixed=True),
            found("unsafe", cell=3),
            found("safe"),
        )
        text = findings_concise.render(result(*rows, errors=(FileError("b.py", "no"),)), of_check(unsafe=False))
        assert text.splitlines() == [
            "s/train.py:2:8: XP301 the host waits for the device here: do not (by hand)",
            "s/train.py:2:8: XP301 a\\x0ab (fixable)",
            "s/train.py:cell 3:2:8: XP301 it blocks: read it later (--unsafe)",
            "s/train.py:2:8: XP301 it blocks: read it later (not fixed)",
            "b.py: error: no",
        ]
        assert "(fixed)" in findings_concise.render(result(rows[1]), of_convert(unsafe=False))

    def test_nothing_is_nothing(self) -> None:
        assert findings_concise.render(result(), of_check(unsafe=False)) == ""

    def test_a_name_breaks_no_line(self) -> None:
        text = findings_concise.render(
            result(found(path=NASTY), errors=(FileError(NASTY, NASTY),)), of_check(unsafe=False)
        )
        assert len(text.splitlines()) == 2
        assert re.fullmatch(r"[^\x00-\x09\x0b-\x1f\x7f]*", text)
        text.encode()


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """What the runner of GitHub Actions makes of a log: the command, its properties and its message."""
    parsed = []
    for line in text.splitlines():
        match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
        assert match, line
        pairs = (pair.split("=", 1) for pair in match[2].split(","))
        properties = {
            key: value.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",")
            for key, value in pairs
        }
        decoded = {key: value.replace("%25", "%") for key, value in properties.items()}
        message = match[3].replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
        parsed.append((match[1], decoded, message))
    return parsed


class TestGithub:
    def test_annotations(self) -> None:
        rows = (found("manual"), found("safe", end_line=3), found("unsafe", fixed=True), found("unsafe", cell=3))
        parsed = commands(findings_github.render(result(*rows, errors=(FileError("b.py", "no"),))))
        place = {"file": "s/train.py", "line": "2", "endLine": "2", "col": "8", "endColumn": "19"}
        title = {"title": "XP301 item-in-step-loop"}
        assert parsed == [
            ("warning", {**place, **title}, "it blocks: read it later"),
            ("notice", {"file": "s/train.py", "line": "2", "endLine": "3", "col": "8", **title}, rows[1].message),
            ("notice", {**place, **title}, "fixed: it blocks: read it later"),
            ("warning", {"file": "s/train.py", **title}, "cell 3, line 2: it blocks: read it later"),
            ("error", {"file": "b.py", "title": "xlaport"}, "no"),
        ]

    def test_marks_survive(self) -> None:
        message = "100%, a:b\r\nnext\n::error::no %0A"
        text = findings_github.render(result(found(message=message, path="a,b:c%\n.py")))
        ((_, properties, said),) = commands(text)
        assert said == message
        assert properties["file"] == "a,b:c%\n.py"

    def test_a_name_that_is_no_text_breaks_nothing(self) -> None:
        text = findings_github.render(result(found(path=NASTY), errors=(FileError(NASTY, NASTY),)))
        assert len(text.splitlines()) == 2
        text.encode()


class TestSarif:
    def test_a_real_run_is_valid(self, train: Path) -> None:
        Path("broken.py").write_text("import torch\ntorch.cuda.init(\n", encoding="utf-8")
        of = run.convert([Path()], Config()).as_found()
        log = sarif(of)
        assert log["columnKind"] == "unicodeCodePoints"
        assert [r["ruleId"] for r in log["results"]] == [f.code for f in of.findings]
        rules = log["tool"]["driver"]["rules"]
        for one in log["results"]:
            assert rules[one["ruleIndex"]]["id"] == one["ruleId"]
            assert one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "train.py"
        assert all("## What it does" in rule["help"]["markdown"] for rule in rules)
        (invocation,) = log["invocations"]
        assert not invocation["executionSuccessful"]
        (notification,) = invocation["toolExecutionNotifications"]
        assert "line 2" in notification["message"]["text"]
        assert {r["level"] for r in log["results"]} == {"note", "warning"}

    def test_an_empty_run_is_valid(self) -> None:
        log = sarif(result())
        assert log["results"] == []
        assert log["invocations"][0]["executionSuccessful"]

    def test_what_is_fixed_is_no_problem_any_more(self) -> None:
        (one,) = sarif(result(found("safe", fixed=True)))["results"]
        assert (one["kind"], one["level"], one["properties"]["fixed"]) == ("informational", "none", True)

    def test_a_rule_that_nobody_knows_has_no_page(self) -> None:
        log = sarif(result(found(code="MY001", name="mine")))
        assert log["tool"]["driver"]["rules"] == [{"id": "MY001", "name": "mine"}]

    @pytest.mark.parametrize("name", ["a b.py", "100%.py", "\u00e9/\u6f22.py", "c:d.py", "#x?.py", NASTY])
    def test_a_name_is_quoted(self, name: str) -> None:
        log = sarif(result(found(path=name), errors=(FileError(name, "no"),)))
        for location in (
            log["results"][0]["locations"][0],
            log["invocations"][0]["toolExecutionNotifications"][0]["locations"][0],
        ):
            artifact = location["physicalLocation"]["artifactLocation"]
            assert artifact["uriBaseId"] in log["originalUriBaseIds"]
            assert not urllib.parse.urlsplit(artifact["uri"]).scheme
            assert os.fsdecode(urllib.parse.unquote_to_bytes(artifact["uri"])) == name

    def test_a_file_elsewhere_is_absolute(self) -> None:
        for name in ("/srv/a.py", "../a.py"):
            (one,) = sarif(result(found(path=name)))["results"]
            artifact = one["locations"][0]["physicalLocation"]["artifactLocation"]
            assert artifact == {"uri": Path(os.path.abspath(name)).as_uri()}

    def test_a_message_is_no_link_and_holds_no_half_characters(self) -> None:
        (one,) = sarif(result(found(message="heads[i](x) and y[0] (z)\nud: \ud800\x07")))["results"]
        assert one["message"]["text"] == "heads\\[i](x) and y[0] (z)\nud: \\ud800\\x07"

    def test_a_cell_has_no_region(self) -> None:
        (one,) = sarif(result(found(cell=3)))["results"]
        assert "region" not in one["locations"][0]["physicalLocation"]
        assert one["message"]["text"].startswith("cell 3, line 2: ")

    def test_fingerprints_stay_where_lines_are_put_above(self, train: Path) -> None:
        def prints() -> list[str]:
            log = sarif(run.convert([train], Config()).as_found())
            return [r["partialFingerprints"]["findingLine/v1"] for r in log["results"]]

        before = prints()
        assert len(set(before)) == len(before)
        train.write_text("# one\n# two\n" + TRAIN, encoding="utf-8")
        assert prints() == before
        train.write_text(TRAIN.replace("nn.Linear(2, 1).cuda()", "nn.Linear(2, 2).cuda()"), encoding="utf-8")
        assert len(set(prints()) & set(before)) == len(before) - 1

    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_each_fix_does_by_its_regions_what_a_conversion_by_that_rule_does(
        self, train: Path, newline: str, mark: str
    ) -> None:
        text = TRAIN.replace("nn.Linear(", 'nn.Linear(*("\U0001f600 \u00e9", "")[:0], ')
        train.write_bytes((mark + text.replace("\n", newline)).encode())
        found_here = run.convert([train], Config(unsafe=True)).as_found()
        assert not found_here.errors
        (file,) = found_here.files
        compared = 0
        for one in sarif(found_here)["results"]:
            if "fixes" not in one:
                continue
            (change,) = one["fixes"][0]["artifactChanges"]
            fixed = replaced(file.before, change["replacements"])
            compile(fixed, "fixed", "exec")
            assert fixed != file.before
            alone = run.convert([train], Config(select=(one["ruleId"],), unsafe=True))
            if sum(finding.code == one["ruleId"] for finding in found_here.findings) == 1 and alone.changed:
                assert fixed == alone.changed[0].after
                compared += 1
        assert compared >= 4

    def test_no_fix_is_offered_for_a_text_that_is_not_there_any_more(self, train: Path) -> None:
        def offered(of: RunResult) -> int:
            return sum("fixes" in one for one in sarif(of)["results"])

        of = run.convert([train], Config())
        assert offered(of.as_found()) > 3
        assert offered(of) == 0

    def test_no_fix_is_offered_that_breaks_the_file(self) -> None:
        fix = Fix((TextEdit(0, 1, "if"),))
        (one,) = sarif(result(found("safe", fix=fix), text="a\nb\n"))["results"]
        assert "fixes" not in one
        (one,) = sarif(result(found("safe", fix=Fix((TextEdit(0, 1, "c"),))), text="a\nb\n"))["results"]
        assert "fixes" in one


class TestGitlab:
    """Held against the keys that GitLab names: https://docs.gitlab.com/ci/testing/code_quality/."""

    def rows(self, of: RunResult) -> list[dict[str, Any]]:
        text = findings_gitlab.render(of)
        assert text.isascii()
        rows: list[dict[str, Any]] = json.loads(text)
        for row in rows:
            assert row["description"]
            assert row["check_name"]
            assert row["severity"] in ("info", "minor", "major", "critical", "blocker")
            assert isinstance(row["location"]["lines"]["begin"], int)
            assert not row["location"]["path"].startswith("./")
        assert len({row["fingerprint"] for row in rows}) == len(rows)
        return rows

    def test_what_is_left_weighs_most_and_what_is_fixed_is_none(self) -> None:
        rows = self.rows(result(found("manual"), found("unsafe"), found("safe"), found("safe", fixed=True)))
        assert [row["severity"] for row in rows] == ["major", "minor", "info"]
        assert rows[0]["location"] == {"path": "s/train.py", "lines": {"begin": 2, "end": 2}}
        assert rows[0]["description"] == "XP301 it blocks: read it later"

    def test_lines_above_change_no_fingerprint(self) -> None:
        (one,) = self.rows(result(found()))
        (moved,) = self.rows(result(found(line=3, end_line=3), text="a\n\nb = loss.item()\n"))
        assert one["fingerprint"] == moved["fingerprint"]

    def test_cells_errors_and_names_of_any_bytes(self) -> None:
        rows = self.rows(result(found(cell=3, path=NASTY), errors=(FileError("b.py", "no\x1b"),)))
        assert rows[0]["description"].startswith("XP301 cell 3, line 2: ")
        assert (rows[1]["check_name"], rows[1]["severity"], rows[1]["description"]) == ("error", "blocker", "no\\x1b")
        assert findings_gitlab.render(result()) == "[]\n"


class TestJunit:
    def tree(self, of: RunResult) -> xml.Element:
        root = xml.fromstring(findings_junit.render(of))
        cases = root.findall("./testsuite/testcase")
        assert root.tag == "testsuites"
        assert int(root.attrib["tests"]) == len(cases)
        assert int(root.attrib["failures"]) == len(root.findall(".//failure"))
        assert int(root.attrib["errors"]) == len(root.findall(".//error"))
        for suite in root:
            assert int(suite.attrib["tests"]) == len(suite)
        return root

    def test_a_failure_for_each_that_is_open(self) -> None:
        of = result(found(recipe="Read it later.", snippet="a\nb"), found("safe", fixed=True), found("unsafe", cell=3))
        root = self.tree(of)
        first, second = root.findall(".//testcase")
        assert first.attrib == {"name": "XP301 2:8", "classname": "s/train.py", "file": "s/train.py", "line": "2"}
        failure = first.find("failure")
        assert failure is not None
        assert failure.attrib == {"type": "XP301", "message": "it blocks: read it later"}
        assert failure.text == "s/train.py:2:8\nRead it later.\na\nb"
        assert second.attrib["name"] == "XP301 cell 3:2:8"

    def test_nothing_is_a_test_that_passes(self) -> None:
        root = self.tree(result())
        assert (root.attrib["tests"], root.attrib["failures"]) == ("1", "0")

    def test_errors_and_what_xml_cannot_hold(self) -> None:
        root = self.tree(result(found(message="<a> & \x00 \ud800", path=NASTY), errors=(FileError("b.py", "no"),)))
        failure, error = root.find(".//failure"), root.find(".//error")
        assert failure is not None
        assert failure.attrib["message"] == "<a> & \\x00 \\ud800"
        assert error is not None
        assert error.attrib == {"message": "no"}


def test_a_diff_in_colors_is_the_diff(train: Path) -> None:
    patch = diff.render(run.convert([train], Config()))
    colored = diff.colored(patch)
    assert re.sub(r"\x1b\[\d*m", "", colored) == patch
    lines = colored.split("\n")
    assert any(line.startswith("\x1b[32m+import torch_xla") for line in lines)
    assert any(line.startswith("\x1b[31m-model = nn.Linear") for line in lines)
    assert lines[0].startswith("\x1b[1m--- ")


def replaced(text: str, replacements: Sequence[dict[str, Any]]) -> str:
    """The text with the replacements done, as somebody would who knows nothing but the standard."""
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text)

    def offset(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + column - 1

    pieces, done = [], 0
    for item in replacements:
        region = item["deletedRegion"]
        start = offset(region["startLine"], region["startColumn"])
        end = offset(region["endLine"], region["endColumn"])
        assert done <= start <= end
        pieces += [text[done:start], item["insertedContent"]["text"]]
        done = end
    return "".join([*pieces, text[done:]])
