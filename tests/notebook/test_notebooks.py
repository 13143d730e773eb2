"""Notebooks on the way through a run: found, joined, converted by cell, reported by cell, written."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notebook.building import PYTHON, converted, notebook, sources
from xlaport import run
from xlaport.config import Config
from xlaport.context import Context, known_roles
from xlaport.engine import Member, Settings
from xlaport.facts.program import Program
from xlaport.notebook import placeholders
from xlaport.notebook.cells import Joined, SplitError
from xlaport.notebook.convert import Notebook, convert_notebook
from xlaport.notebook.document import read
from xlaport.notebook.magics import Masked
from xlaport.report import all_errors, findings_json, findings_text
from xlaport.report.terminal import Detail, Look
from xlaport.report.view import of_check
from xlaport.rule import Applicability, Finding, MoveStatement, Replace, Rule
from xlaport.source import Source
from xlaport.targets.known import target

IMPORTS = "import torch\nfrom torch import nn\n\ntorch.manual_seed"
DEVICE = "device = torch.device('cuda')"
MODEL = "model = nn.Linear(2, 2).cuda()\nopt = torch.optim.SGD(model.parameters(), lr=0.1)"
LOOP = (
    "for x, y in batches:\n    opt.zero_grad()\n    loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())\n"
    "    loss.backward()\n    opt.step()\n    !date"
)


def by_rule(rule: Rule, *cells: str) -> tuple[list[str], list[bool], str | None]:
    """The sources after a rule alone, whether its findings were fixed, and the error."""
    text = notebook(*cells)
    settings = Settings(target())
    member = Member(Program(further=known_roles(settings.target)))
    opened = Notebook(Source(Path("n.ipynb"), text, "utf-8", False, "\n"), read(text))
    (file,) = convert_notebook(opened, "n.ipynb", [rule], settings, member)
    return (
        list(sources(file.after)),
        [f.fixed for f in file.findings],
        file.error.message if file.error is not None else None,
    )


class _Mover(Rule):
    """Moves each call of move() behind the call of target() in its block."""

    code, name, summary, words = "XP999", "mover", "moves", ("move",)
    applicability = Applicability.SAFE

    def check(self, context: Context) -> Iterator[Finding]:
        def calls(name: str) -> list[ast.stmt]:
            return [
                context.module.statement(call)
                for call in context.module.calls
                if isinstance(call.func, ast.Name) and call.func.id == name
            ]

        for statement, anchor in zip(calls("move"), calls("target"), strict=True):
            if statement.lineno < anchor.lineno:
                span = context.span(statement)
                yield self.finding(span, "move it", MoveStatement(span, context.span(anchor)))


class _Wrecker(Rule):
    """Replaces all of the text from the first statement to the last."""

    code, name, summary, words = "XP999", "wrecker", "wrecks", ("wreck",)
    applicability = Applicability.SAFE

    def check(self, context: Context) -> Iterator[Finding]:
        first, last = context.span(context.module.tree.body[0]), context.span(context.module.tree.body[-1])
        yield self.finding(first, "gone", Replace(type(first)(first.start, last.end), "x"))


class TestCells:
    def test_cells_are_one_program(self, tmp_path: Path) -> None:
        file = converted(notebook("#md words", IMPORTS, DEVICE, MODEL, "batches = []", LOOP), tmp_path)
        after = sources(file.after)
        assert after[1].startswith("import torch\nimport torch_xla\n")
        assert after[2] == "device = torch_xla.device()"
        assert after[3].startswith("model = nn.Linear(2, 2).to(device)\n")
        assert "    opt.step()\n    torch_xla.sync()\n    !date" in after[5]
        assert "model(x.to(device)), y.to(device)" in after[5]
        assert {f.cell for f in file.findings} == {3, 4, 6}

    def test_a_message_names_lines_by_their_cell(self, tmp_path: Path) -> None:
        kaggle = "DEVICE = 'cuda'"
        file = converted(notebook(IMPORTS, kaggle, "#md", "model = nn.Linear(1, 1)\nmodel.to(DEVICE)"), tmp_path)
        (finding,) = [f for f in file.findings if f.code == "XP103"]
        assert "in line 2 of cell 4" in finding.message
        assert (finding.cell, finding.line, finding.column) == (2, 1, 10)
        same = converted(notebook(f"{IMPORTS}\n{kaggle}\nmodel = nn.Linear(1, 1)\nmodel.to(DEVICE)"), tmp_path)
        (finding,) = [f for f in same.findings if f.code == "XP103"]
        assert "in line 7," in finding.message

    def test_a_statement_moves_in_its_cell_and_into_no_other(self) -> None:
        after, fixed, error = by_rule(_Mover(), "move()\nx = 1\ntarget()", "y = 2")
        assert (after, fixed, error) == (["x = 1\ntarget()\nmove()", "y = 2"], [True], None)
        cells = ["move()\nx = 1", "target()\ny = 2"]
        after, fixed, error = by_rule(_Mover(), *cells)
        assert (after, fixed, error) == (cells, [False], None)

    def test_what_is_refused_is_left_to_the_user_with_the_reason(self, tmp_path: Path) -> None:
        made = "m = nn.Linear(1, 1)\nopt = torch.optim.SGD(m.parameters(), lr=1)"
        file = converted(notebook(IMPORTS, made, "m.cuda()", "opt.step()"), tmp_path)
        (finding,) = [f for f in file.findings if f.code == "XP203"]
        assert not finding.fixed
        assert finding.applicability is Applicability.MANUAL
        assert finding.notes == ("by hand, since a statement would move to another cell",)
        assert sources(file.after)[1] == made

    def test_an_edit_that_would_take_a_magic_away_is_left_out(self, tmp_path: Path) -> None:
        guard = "if torch.cuda.is_available():\n    torch.cuda.empty_cache()\n    !nvidia-smi\nelse:\n    !lscpu\n"
        after = sources(converted(notebook(IMPORTS, guard, "x = torch.ones(1).cuda()"), tmp_path).after)
        assert "!nvidia-smi" in after[1]
        assert "!lscpu" in after[1]
        assert after[2] == "x = torch.ones(1).to(torch_xla.device())"

    def test_edits_that_join_cells_leave_the_notebook_as_it_is(self) -> None:
        cells = ["wreck = 1", "y = 2", "%ls\nz"]
        after, fixed, error = by_rule(_Wrecker(), *cells)
        assert (after, fixed, error) == (cells, [False], None)
        after, fixed, error = by_rule(_Wrecker(), "wreck = 1\n%ls\ny = 1")
        assert (after, fixed, error) == (["wreck = 1\n%ls\ny = 1"], [False], None)

    def test_a_cell_that_is_not_python_is_named_and_the_others_go_on(self, tmp_path: Path) -> None:
        place = tmp_path / "n.ipynb"
        broken = "x = (\nprint device"
        place.write_text(notebook(IMPORTS, broken, DEVICE, "#md", "!ls\nprint 1"), encoding="utf-8")
        result = run.write(run.convert([place], Config()))
        (error,) = all_errors(result)
        assert error.message.startswith("cell 2, line ")
        assert error.message.endswith("; cell left as it is, and so is cell 5 (line 2)")
        after = sources(place.read_text(encoding="utf-8"))
        imports = "import torch\nimport torch_xla\nfrom torch import nn\n\ntorch.manual_seed"
        assert after == [imports, broken, "device = torch_xla.device()", "#md", "!ls\nprint 1"]

    @pytest.mark.parametrize("end", ["", "\n", "\n\n"])
    def test_the_end_of_a_cell_stays(self, end: str, tmp_path: Path) -> None:
        after = sources(converted(notebook(IMPORTS + end, DEVICE + end, "x = 1" + end), tmp_path).after)
        assert [len(cell) - len(cell.rstrip()) for cell in after] == [len(end)] * 3

    def test_an_emptied_cell_is_left_empty(self, tmp_path: Path) -> None:
        after = sources(converted(notebook(IMPORTS, "torch.cuda.empty_cache()", "x = 1"), tmp_path).after)
        assert after == [IMPORTS, "", "x = 1"]

    def test_no_blank_lines_stay_where_the_last_paragraph_went(self, tmp_path: Path) -> None:
        flags = "torch.backends.cudnn.benchmark = True"
        cells = notebook(f"{IMPORTS}\n\n{flags}", f"{flags}\n\nx = 1", "y = 2")
        assert sources(converted(cells, tmp_path).after) == [IMPORTS, "x = 1", "y = 2"]

    def test_crlf_in_cells_stays(self, tmp_path: Path) -> None:
        after = sources(converted(notebook(f"import torch\r\n{DEVICE}\r\nx = 1\r\n", "torch\r\n"), tmp_path).after)
        assert after[0] == "import torch\r\nimport torch_xla\r\ndevice = torch_xla.device()\r\nx = 1\r\n"

    def test_a_name_that_a_magic_uses_keeps_its_import(self, tmp_path: Path) -> None:
        cell = "import torch.backends.cudnn as cudnn\nimport torch\ncudnn.benchmark = True"
        assert "cudnn" not in "".join(sources(converted(notebook(cell), tmp_path).after))
        kept = converted(notebook(cell, "%timeit cudnn.version()"), tmp_path)
        assert sources(kept.after)[0].startswith("import torch.backends.cudnn as cudnn\n")


class TestImports:
    @pytest.mark.parametrize(
        ("cells", "where"),
        [
            (["!pip install x", "import os", "import torch", DEVICE], 2),
            (["!pip install x", "import os\nx = 1", "from torch import nn, device", "d = device('cuda')"], 2),
            (["from torch import nn\nm = nn.Linear(1, 1).cuda()", "import torch", "torch.ones(1)"], 0),
            (["import os", "%ls", "import torch.nn as nn\nimport torch", "nn.Linear(1, 1).cuda()"], 2),
            (["%%bash\npip install torch", "def f():\n    import torch\n    return torch.ones(1).cuda()", "f()"], 1),
            (["# note", "%ls", "import_module('torch')\nx = torch.ones(1)\ntorch.ones(1).cuda()"], 2),
            (["def f():\n    import torch\n    return torch.ones(1).cuda()", "import torch\nf()"], 1),
        ],
    )
    def test_new_imports_go_to_the_cell_that_imports_torch_first(
        self, cells: list[str], where: int, tmp_path: Path
    ) -> None:
        after = sources(converted(notebook(*cells), tmp_path).after)
        assert [i for i, cell in enumerate(after) if "import torch_xla" in cell] == [where]


class TestFinding:
    def test_notebooks_are_found_in_folders_but_not_their_checkpoints(self, tmp_path: Path) -> None:
        for folder in (".", "sub", ".ipynb_checkpoints"):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / "n.ipynb").write_text(notebook(IMPORTS, DEVICE), encoding="utf-8")
        result = run.convert([tmp_path], Config())
        assert [str(f.path.relative_to(tmp_path)) for f in result.files] == ["n.ipynb", "sub/n.ipynb"]
        assert (result.seen, result.parsed) == (2, 2)
        out = tmp_path.parent / f"{tmp_path.name}-out"
        run.write_to(result, [tmp_path], out)
        assert sorted(str(p.relative_to(out)) for p in out.rglob("*.ipynb")) == ["n.ipynb", "sub/n.ipynb"]
        assert sources((out / "n.ipynb").read_text(encoding="utf-8"))[1] == "device = torch_xla.device()"

    def test_it_sees_the_modules_of_its_project(self, tmp_path: Path) -> None:
        (tmp_path / "common.py").write_text(
            "from torch import nn\n\n\nclass Net(nn.Module):\n    pass\n\n\nclass Plain:\n    pass\n", encoding="utf-8"
        )
        file = converted(notebook("import torch\nfrom common import Net, Plain",
                                  "a = Net().cuda()\nb = Plain().cuda()"), tmp_path)  # fmt: skip
        assert sources(file.after)[1] == "a = Net().to(torch_xla.device())\nb = Plain().cuda()"

    def test_what_a_module_gives_to_a_notebook_of_the_run_stays(self, tmp_path: Path) -> None:
        module = "import torch\nimport torch.backends.cudnn as cudnn\ncudnn.benchmark = True\n"
        (tmp_path / "common.py").write_text(module, encoding="utf-8")
        (tmp_path / "n.ipynb").write_text(notebook("from common import cudnn, torch"), encoding="utf-8")
        result = run.convert([tmp_path], Config())
        after = {file.path.name: file.after for file in result.files}
        assert "import torch.backends.cudnn as cudnn" in after["common.py"]

    def test_one_without_a_trigger_word_is_not_parsed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def never(source: str) -> Masked:
            raise AssertionError(source)

        monkeypatch.setattr("xlaport.notebook.cells.mask", never)
        (tmp_path / "other.ipynb").write_text("{ such stuff", encoding="utf-8")
        (tmp_path / "output.ipynb").write_text(notebook("x = 1", "#md import torch; x.cuda()"), encoding="utf-8")
        result = run.convert([tmp_path], Config())
        assert (result.seen, result.parsed, result.files, result.errors) == (2, 0, (), ())

    @pytest.mark.parametrize("named", [True, False])
    def test_one_of_another_language(self, named: bool, tmp_path: Path) -> None:
        place = tmp_path / "r.ipynb"
        text = notebook("library(torch)\ncuda()", metadata={"kernelspec": {"language": "R", "name": "ir"}})
        place.write_text(text, encoding="utf-8")
        result = run.convert([place if named else tmp_path], Config())
        assert result.files == ()
        assert [e.message for e in result.errors] == (
            ["is a notebook of r, not of Python: nothing in it is converted"] if named else []
        )

    @pytest.mark.parametrize(
        ("data", "says"),
        [
            (b'{"cells": [ torch .cuda() ', "its JSON is broken at line 1, column 13"),
            (b'["torch.cuda"]', "has no cells"),
            (b'{"cells": ["torch.cuda \xff"]}', "is not valid utf-8 at line 1"),
            (b"<<<<<<< HEAD\ntorch.cuda", "its JSON is broken at line 1"),
        ],
    )
    def test_a_file_that_is_no_notebook_is_one_error(self, data: bytes, says: str, tmp_path: Path) -> None:
        (tmp_path / "n.ipynb").write_bytes(data)
        (error,) = run.convert([tmp_path], Config()).errors
        assert says in error.message
        assert (tmp_path / "n.ipynb").read_bytes() == data

    def test_no_cells_and_odd_cells_are_no_error(self, tmp_path: Path) -> None:
        (tmp_path / "a.ipynb").write_text('{"cells": [], "metadata": {"x": "torch.cuda"}}', encoding="utf-8")
        (tmp_path / "b.ipynb").write_text('{"cells": [1, {"cell_type": "code"}], "x": "torch.cuda"}', encoding="utf-8")
        result = run.convert([tmp_path], Config())
        assert (result.files, result.errors) == ((), ())

    def test_a_lone_surrogate_is_no_crash(self, tmp_path: Path) -> None:
        place = tmp_path / "n.ipynb"
        place.write_text(notebook(IMPORTS, DEVICE, "x = '\ud83d'"), encoding="utf-8")
        result = run.write(run.convert([place], Config()))
        assert [e.message.partition(":")[0] for e in all_errors(result)] == ["cell 3, line 1"]
        assert sources(place.read_text(encoding="utf-8"))[1:] == ["device = torch_xla.device()", "x = '\ud83d'"]

    def test_a_large_output_is_no_obstacle(self, tmp_path: Path) -> None:
        whole = json.loads(notebook(IMPORTS, DEVICE))
        whole["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "cuda torch " * 2_000_000}]
        file = converted(json.dumps(whole), tmp_path)
        assert len(file.after) > 20_000_000
        assert sources(file.after)[1] == "device = torch_xla.device()"


class TestShellLines:
    def test_what_they_ask_for_is_reported_in_their_place_and_stays(self, tmp_path: Path) -> None:
        cells = [
            "!pip install -q \\\n  torch==2.1.0+cu118 -f https://x.org/whl/cu118",
            "%pip install flash-attn\nx = !nvidia-smi",
            "%%bash\npython train.py --device cuda",
            "import torch",
            "s = '''\n!pip install apex\n'''",
            "%env CUDA_VISIBLE_DEVICES=0",
        ]
        file = converted(notebook(*cells), tmp_path, Config(unsafe=True))
        assert file.after == file.before
        places = {(f.code, f.cell, f.line, f.column) for f in file.findings}
        assert {("XP816", 1, 2, 3), ("XP817", 1, 2, 3), ("XP817", 2, 1, 14), ("XP815", 2, 2, 6),
                ("XP813", 3, 2, 26), ("XP814", 6, 1, 6)} <= places  # fmt: skip
        assert not any(f.cell == 5 for f in file.findings)
        assert all(f.applicability is Applicability.MANUAL and not f.fixed for f in file.findings if f.cell != 4)

    def test_in_a_notebook_that_is_not_of_torch_they_do_not_matter(self, tmp_path: Path) -> None:
        (tmp_path / "n.ipynb").write_text(notebook("!pip install tensorflow-gpu", "x = 1"), encoding="utf-8")
        assert run.convert([tmp_path], Config()).files == ()


class TestReports:
    def test_text_names_the_cell_and_quotes_its_line(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("n.ipynb").write_text(
            notebook("#md", IMPORTS, "a = 1\nprint(torch.cuda.mem_get_info())", DEVICE, metadata={
                **PYTHON, "accelerator": "GPU"}), encoding="utf-8")  # fmt: skip
        look = Look(detail=Detail.EVIDENCE)
        text = findings_text.render(run.convert([Path("n.ipynb")], Config()), of_check(unsafe=False), look)
        lines = [" ".join(line.split()) for line in text.splitlines()]
        assert lines[0] == "n.ipynb"
        assert any(line.startswith("cell 3:2:7 XP802 by hand") for line in lines)
        assert "2 | print(torch.cuda.mem_get_info())" in lines
        assert any(line.startswith("cell 4:1:10 XP101 fixable") for line in lines)
        accelerator = next(i for i, line in enumerate(lines) if "XP828" in line)
        assert lines[accelerator].startswith("4")
        assert any('"accelerator": "GPU"' in line for line in lines[accelerator:])

    def test_notebooks_are_counted_apart(self, tmp_path: Path) -> None:
        def said() -> str:
            return findings_text.render(run.convert([tmp_path], Config()), of_check(unsafe=False)).strip()

        (tmp_path / "n.ipynb").write_text(notebook("x = 1"), encoding="utf-8")
        assert said() == "Nothing to port in 1 notebook."
        (tmp_path / "m.py").write_text("x = 1\n", encoding="utf-8")
        assert said() == "Nothing to port in 1 Python file and 1 notebook."

    def test_json_has_the_cell_and_the_lines_in_it(self, tmp_path: Path) -> None:
        (tmp_path / "n.ipynb").write_text(notebook("#md", IMPORTS, f"x = 1\n{DEVICE}"), encoding="utf-8")
        report = json.loads(findings_json.render(run.convert([tmp_path], Config())))
        (finding,) = [f for f in report["findings"] if f["code"] == "XP101"]
        assert {k: finding[k] for k in ("cell", "line", "column", "end_line", "end_column")} == {
            "cell": 3, "line": 2, "column": 10, "end_line": 2, "end_column": 30,
        }  # fmt: skip
        assert report["files"] == {"seen": 1, "parsed": 1, "changed": 1, "documents": 0}

    def test_the_diff_is_one_that_git_applies(self, tmp_path: Path) -> None:
        place = tmp_path / "n.ipynb"
        place.write_text(notebook(IMPORTS, DEVICE, MODEL), encoding="utf-8")
        code = "import sys; from xlaport.cli import main; sys.argv = ['xlaport', *sys.argv[1:]]; main()"
        command = [sys.executable, "-c", code, "convert", "--diff", "n.ipynb"]
        diff = subprocess.run(command, cwd=tmp_path, capture_output=True)
        assert diff.returncode == 1
        assert place.read_text(encoding="utf-8") == notebook(IMPORTS, DEVICE, MODEL)
        subprocess.run(["git", "apply", "-p1"], cwd=tmp_path, input=diff.stdout, check=True)
        run_again = run.convert([place], Config())
        assert not run_again.changed
        assert sources(place.read_text(encoding="utf-8"))[1] == "device = torch_xla.device()"


class TestSplit:
    """What no edit can bring about any more is refused here, too."""

    CELLS = ("x = 1\n%ls\ny = 2", "%%bash\nls", "z")

    def joined(self) -> Joined:
        return Joined(read(notebook(*self.CELLS)).cells)

    def test_nothing_changed(self) -> None:
        assert self.joined().split(self.joined().text) == {}

    @pytest.mark.parametrize(
        ("old", "new", "says"),
        [
            ('"""nb~cell~2"""\n', "", "across cells"),
            ('"""nb~cell~3"""\n', '"""nb~cell~3"""\n"""nb~cell~3"""\n', "across cells"),
            (placeholders.statement("%ls"), "", "a magic of cell 1"),
            (placeholders.statement("%%bash\nls"), placeholders.statement("%%bash\nls") + "\nimport a", "cell 2"),
        ],
    )
    def test_what_is_not_the_same_cells_is_refused(self, old: str, new: str, says: str) -> None:
        joined = self.joined()
        assert old in joined.text
        with pytest.raises(SplitError, match=says):
            joined.split(joined.text.replace(old, new))
