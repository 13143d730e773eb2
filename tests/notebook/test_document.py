"""Where the sources stand in a notebook's JSON, and that nothing else is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.notebook.building import converted, notebook
from xlaport.errors import UserError
from xlaport.notebook.cells import Joined
from xlaport.notebook.document import decode, read
from xlaport.notebook.rewriting import rewritten

OLD = "import torch\nx = torch.ones(2).cuda()\n"


def replaced(text: str, number: int, source: str) -> str:
    return rewritten(text, read(text).cells, {number: source})


class TestReading:
    def test_numbers_count_all_cells_and_only_code_is_given(self) -> None:
        document = read(notebook("#md words", "a = 1\nb", "#md", "c"))
        assert [(cell.number, cell.source) for cell in document.cells] == [(2, "a = 1\nb"), (4, "c")]

    def test_before_nbformat_4_cells_are_in_worksheets(self) -> None:
        cell = {"cell_type": "code", "collapsed": False, "input": ["a\n", "b"], "language": "python", "outputs": []}
        old: dict[str, Any] = {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0,
               "worksheets": [{"cells": [cell], "metadata": {}}, {"cells": [{**cell, "input": "c"}]}]}  # fmt: skip
        assert [cell.source for cell in read(json.dumps(old)).cells] == ["a\nb", "c"]

    def test_the_last_of_two_equal_keys_counts_as_for_every_reader(self) -> None:
        text = '{"cells": [], "cells": [{"source": "a", "cell_type": "code", "source": ["b"]}], "metadata": {}}'
        assert [cell.source for cell in read(text).cells] == ["b"]
        assert '"source": "a"' in replaced(text, 1, "c")

    @pytest.mark.parametrize(
        "cell",
        [1, None, [], {}, {"cell_type": "code"}, {"cell_type": "code", "source": 3},
         {"cell_type": "code", "source": ["a", 1]}, {"cell_type": 2, "source": "a"}],
    )  # fmt: skip
    def test_a_cell_that_is_none_is_passed_over(self, cell: object) -> None:
        good = {"cell_type": "code", "source": "x"}
        document = read(json.dumps({"cells": [cell, good], "metadata": None}))
        assert [cell.number for cell in document.cells] == [2]

    @pytest.mark.parametrize(
        ("metadata", "is_python"),
        [
            ({}, True),
            ({"kernelspec": {"name": "anything"}}, True),
            ({"kernelspec": {"language": "R", "name": "ir"}}, False),
            ({"language_info": {"name": "julia"}}, False),
            ({"language_info": {"name": "ipython"}}, True),
            ({"language_info": {"name": "python"}, "kernelspec": {"language": "sage"}}, True),
            ({"language_info": [], "kernelspec": 1}, True),
        ],
    )
    def test_the_language(self, metadata: dict[str, Any], is_python: bool) -> None:
        assert read(notebook("x", metadata=metadata)).is_python is is_python

    def test_a_cell_of_another_language_is_no_part_of_the_program(self) -> None:
        cells = [
            {"cell_type": "code", "source": source, "metadata": {"vscode": {"languageId": language}}}
            for source, language in (("SELECT 1", "sql"), ("x = 1", "python"))
        ]
        assert Joined(read(json.dumps({"cells": cells})).cells).text == "x = 1\n"

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "line 1, column 1"),
            ('{"cells": [}', "its JSON is broken at line 1"),
            ("[]", "has no cells"),
            ("{}", "has no cells"),
            ('{"cells": {}}', "has no cells"),
            ('{"cells": []} x', "broken"),
            ("<<<<<<< HEAD\n{}", "broken at line 1"),
            ("[" * 100_000, "nested too deeply"),
            ('{"cells": [{"cell_type": "code", "source": "a\nb"}]}', "broken"),
        ],
    )
    def test_what_is_no_notebook_is_said_in_one_line(self, text: str, says: str) -> None:
        with pytest.raises(UserError, match="is not a notebook") as raised:
            read(text)
        assert says in str(raised.value)
        assert "\n" not in str(raised.value)

    def test_it_has_to_be_utf_8(self) -> None:
        with pytest.raises(UserError, match="not valid utf-8 at line 2"):
            decode(Path("n.ipynb"), b'{"cells":\n["\xe9"]}')
        assert decode(Path("n.ipynb"), b"\xef\xbb\xbf{}").bom


class TestRewriting:
    @pytest.mark.parametrize("indent", [None, 0, 1, 2, "\t"])
    @pytest.mark.parametrize("ascii_only", [True, False])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_a_list_of_lines_keeps_the_files_style(
        self, indent: int | str | None, ascii_only: bool, newline: str
    ) -> None:
        def spelled(source: list[str]) -> str:
            other = {"cell_type": "code", "source": ["é = 1\n", "b"]}
            cells = {"cells": [other, {"cell_type": "code", "source": source}, other]}
            return json.dumps(cells, indent=indent, ensure_ascii=ascii_only).replace("\n", newline)

        old, new = ["a\n", "ü = '/'\n", 'c = "\\\\d"'], ["z\n", "a\n", "ü = '/'\n", "ö\n", "d"]
        assert replaced(spelled(old), 2, "".join(new)) == spelled(new)
        assert replaced(spelled(["one"]), 2, "".join(new)) == spelled(new)
        assert replaced(spelled([]), 2, "a\nb") == spelled(["a\n", "b"]) or indent is not None
        assert replaced(spelled(old), 2, "") == spelled(old).replace(_raw(spelled(old), 2), "[]")

    def test_a_string_stays_one(self) -> None:
        text = '{"cells":[{"cell_type":"code","source":"a\\nb\\u00e9\\/\\nc"}]}'
        assert replaced(text, 1, "a\nX\nbé/\nc") == text.replace("a\\n", "a\\nX\\n")

    def test_slashes_are_escaped_where_they_are(self) -> None:
        text = r'{"cells":[{"cell_type":"code","source":["a = \"\/x\"\n","b"]}]}'
        assert replaced(text, 1, 'a = "/x"\nc = "/y"') == text.replace('"b"', r'"c = \"\/y\""')

    def test_lines_that_stay_keep_their_spelling(self) -> None:
        text = r'{"cells":[{"cell_type":"code","source":["\u0061 = 1\n","\u00e9\t\n","b"]}]}'
        assert replaced(text, 1, "a = 1\né\t\nc = 'ö'") == text.replace('"b"', r'''"c = '\u00f6'"''')

    def test_a_lone_surrogate_is_written_as_an_escape(self) -> None:
        text = '{"cells":[{"cell_type":"code","source":["é\\n"]}]}'
        new = replaced(text, 1, "é\n'\ud83d'\n")
        new.encode("utf-8")
        assert read(new).cells[0].source == "é\n'\ud83d'\n"

    @given(st.text(max_size=60), st.text(max_size=60), st.sampled_from([None, 1]), st.booleans(), st.booleans())
    def test_any_source_is_read_back_and_all_else_is_the_same(
        self, old: str, new: str, indent: int | None, ascii_only: bool, as_list: bool
    ) -> None:
        ascii_only = ascii_only or any("\ud800" <= c <= "\udfff" for c in old)
        source: object = old.splitlines(keepends=True) if as_list else old
        cells = [{"source": ["first\n", "x"], "cell_type": "code"}, {"cell_type": "code", "source": source, "id": "/"}]
        text = json.dumps({"cells": cells, "metadata": {"é": 1.0}}, indent=indent, ensure_ascii=ascii_only)
        after = replaced(text, 2, new)
        assert json.loads(after)["cells"][0] == cells[0]
        read_back = read(after).cells[1].source
        assert read_back == new
        raw, raw_after = _raw(text, 2), _raw(after, 2)
        assert text.replace(raw, "", 1).rpartition('"id"')[2] == after.replace(raw_after, "", 1).rpartition('"id"')[2]
        assert replaced(text, 2, old) == text or as_list


def _raw(text: str, number: int) -> str:
    (span,) = [cell.span for cell in read(text).cells if cell.number == number]
    return text[span.start : span.end]


class TestFile:
    def test_byte_order_mark_line_ends_and_odd_blanks_stay(self, tmp_path: Path) -> None:
        text = notebook("#md é", OLD, "y = 2").replace("\n", "\r\n").replace('"metadata": {}', '"metadata" :\t{ }')
        file = converted(b"\xef\xbb\xbf" + text.encode(), tmp_path)
        assert file.bom
        assert file.after != text
        first, last = text.index("torch.ones"), text.rindex("y = 2")
        assert file.after.startswith(text[: first - 40].rpartition("\r\n")[0].rpartition("\r\n")[0])
        assert file.after.endswith(text[last:])
        assert file.after.count("\r\n") == file.after.count("\n")

    def test_what_did_not_change_is_the_very_same_text(self, tmp_path: Path) -> None:
        file = converted(notebook("import torch\ntorch.cuda.nvtx"), tmp_path)
        assert file.after is file.before

    def test_a_notebook_of_nbformat_3_stays_one(self, tmp_path: Path) -> None:
        cell = {"cell_type": "code", "collapsed": False, "input": [], "language": "python", "metadata": {}}
        first = {**cell, "input": ["import torch\n", "%ls\n", "x = torch.ones(2).cuda()"], "outputs": []}
        other = {**cell, "input": ["x.cuda()"], "language": "ruby", "outputs": []}
        sheet = {"cells": [{"cell_type": "heading", "level": 1, "metadata": {}, "source": ["A"]}, first, other]}
        whole = {
            "metadata": {"name": ""},
            "nbformat": 3,
            "nbformat_minor": 0,
            "worksheets": [{**sheet, "metadata": {}}],
        }
        nbformat.validate(whole)
        after = json.loads(converted(json.dumps(whole, indent=1), tmp_path).after)
        nbformat.validate(after)
        cells = after["worksheets"][0]["cells"]
        assert cells[1]["input"] == ["import torch\n", "import torch_xla\n", "%ls\n",
                                     "x = torch.ones(2).to(torch_xla.device())"]  # fmt: skip
        assert (cells[0], cells[2]) == (sheet["cells"][0], other)
