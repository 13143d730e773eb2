"""What a comment is about, and what becomes of the rest of the file."""

from __future__ import annotations

import pytest

from xlaport import registry
from xlaport.documents import convert as documents
from xlaport.documents.document import Document, Kind
from xlaport.engine import Conversion, Settings, convert
from xlaport.rule import Applicability
from xlaport.suppressions.comments import in_document, in_python
from xlaport.targets.known import target

CATALOGUE = registry.load()
RULES = registry.choose(CATALOGUE, (), ())
EVERYTHING = Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}), catalogue=CATALOGUE)


def converted(text: str) -> Conversion:
    """The text converted with all rules, twice: the second time, nothing changes."""
    newline = "\r\n" if "\r\n" in text else "\n"
    conversion = convert(text, "a.py", RULES, EVERYTHING, newline)
    again = convert(conversion.text, "a.py", RULES, EVERYTHING, newline)
    assert again.text == conversion.text
    return conversion


def codes(conversion: Conversion) -> list[str]:
    return [finding.code for finding in conversion.findings]


def governed(text: str) -> list[str]:
    """What the comments of a text are about."""
    return [text[s.governs.start : s.governs.end] for s in in_python(text).all]


class TestGoverns:
    @pytest.mark.parametrize(
        ("text", "about"),
        [
            ("a = 1\nb = 2  # xlaport: ignore\nc = 3\n", "b = 2  # xlaport: ignore\n"),
            ("b = 2  # xlaport: ignore", "b = 2  # xlaport: ignore"),
            ("f(  # xlaport: ignore\n  1,\n  2)\n", "f(  # xlaport: ignore\n  1,\n  2)\n"),
            ("f(\n  1,  # xlaport: ignore\n  2)\n", "  1,  # xlaport: ignore\n"),
            ("f(\n  1,\n  2)  # xlaport: ignore\n", "f(\n  1,\n  2)  # xlaport: ignore\n"),
            ("f(\n  # xlaport: ignore\n  1,\n  2)\n", "  # xlaport: ignore\n  1,\n"),
            ('a = """\nx\n"""  # xlaport: ignore\n', 'a = """\nx\n"""  # xlaport: ignore\n'),
            ("a = 1 + \\\n 2  # xlaport: ignore\nb\n", "a = 1 + \\\n 2  # xlaport: ignore\n"),
            ("for a in b:  # xlaport: ignore\n    c\n", "for a in b:  # xlaport: ignore\n"),
            ("def f(\n    a,\n):  # xlaport: ignore\n    c\n", "def f(\n    a,\n):  # xlaport: ignore\n"),
            ("# xlaport: ignore\na = f(\n  1)\nb\n", "# xlaport: ignore\na = f(\n  1)\n"),
            ("# xlaport: ignore\n# because\na = 1\nb\n", "# xlaport: ignore\n# because\na = 1\n"),
            ("if a:\n    # xlaport: ignore\n    b\n    c\n", "    # xlaport: ignore\n    b\n"),
            ("# xlaport: ignore\n\na = 1\n", ""),
            ("a = 1\n# xlaport: ignore\n", ""),
            ("a = 1\n# xlaport: ignore", ""),
            ("a = 1; b = 2  # xlaport: ignore\n", "a = 1; b = 2  # xlaport: ignore\n"),
            ("ä = 'ö'; b = 2  # xlaport: ignore\n", "ä = 'ö'; b = 2  # xlaport: ignore\n"),
            ("a = 1\rb = 2  # xlaport: ignore\rc = 3\r", "b = 2  # xlaport: ignore\r"),
            ("a = 1\r\nb = 2  # xlaport: ignore\r\nc = 3\r\n", "b = 2  # xlaport: ignore\r\n"),
            ("b = 2  # noqa: E501  # xlaport: ignore\n", "b = 2  # noqa: E501  # xlaport: ignore\n"),
            ("b = 2  #xlaport:ignore\n", "b = 2  #xlaport:ignore\n"),
        ],
    )
    def test_a_comment_is_about_its_line_and_its_statement(self, text: str, about: str) -> None:
        assert governed(text) == [about]

    @pytest.mark.parametrize(
        "text",
        [
            "a = '# xlaport: ignore'\n",
            '"""\n# xlaport: ignore\n"""\n',
            "# see xlaport: ignore\na\n",
            "# '# xlaport: ignore'\n",
        ],
    )
    def test_what_is_no_comment_to_xlaport(self, text: str) -> None:
        assert in_python(text).all == ()

    def test_a_text_that_is_cut_off_keeps_those_before(self) -> None:
        assert len(in_python("a = 1  # xlaport: ignore\nb = (\n").all) == 1


class TestConversion:
    def test_what_is_ignored_is_neither_told_nor_fixed(self) -> None:
        text = "import torch\n\nx = torch.zeros(3).cuda()  # xlaport: ignore[XP102] a reason\n"
        assert converted(text) == Conversion(text, ())

    @pytest.mark.parametrize("asked", ["ignore", "ignore[XP1]", "ignore[XP]", "ignore[XP301, xp102]", "IGNORE [XP102]"])
    def test_all_rules_and_families(self, asked: str) -> None:
        text = f"import torch\n\nx = torch.zeros(3).cuda()  # xlaport: {asked}\n"
        conversion = converted(text)
        assert conversion.text == text
        assert "XP102" not in codes(conversion)

    def test_other_findings_in_the_line_are_fixed(self) -> None:
        conversion = converted('import torch\n\nx = torch.zeros(3, device="cuda").cuda()  # xlaport: ignore[XP103]\n')
        assert '"cuda")' in conversion.text
        assert ".to(torch_xla.device())  # xlaport: ignore[XP103]" in conversion.text

    def test_a_line_left_out_whole_is_changed_by_nothing(self) -> None:
        """A rule that moves statements, one that takes imports out, one that opens shared lines."""
        order = (
            "import torch\nmodel = torch.nn.Linear(1, 1)\n"
            "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
            "model.to('cuda')  # xlaport: ignore\n"
        )
        conversion = converted(order)
        assert conversion.text == order
        (told,) = [finding for finding in conversion.findings if finding.code == "XP203"]
        assert not told.fixed
        assert told.fix is None, "what is not done is not offered to editors either"
        assert told.notes == ("not fixed: line 4 asks to be left as it is",)
        line = "from torch.cuda import amp  # xlaport: ignore"
        assert line in converted(f"import torch\n{line}\nwith amp.autocast():\n    torch.ones(1).cuda()\n").text
        line = "x = torch.cuda.empty_cache(); torch.cuda.synchronize()  # xlaport: ignore"
        assert line in converted(f"import torch\n{line}\n").text

    def test_what_another_rule_would_take_away_with_it_stays(self) -> None:
        text = "import torch\nx = torch.ones(1)\nif torch.cuda.is_available():\n    x = x.cuda()\n"
        assert "if" not in converted(text).text
        kept = text.replace("available():", "available():  # xlaport: ignore[XP103]").replace(
            "cuda()\n", "cuda()  # xlaport: ignore[XP102]\n"
        )
        conversion = converted(kept)
        assert "    x = x.cuda()  # xlaport: ignore[XP102]\n" in conversion.text
        (told,) = [finding for finding in conversion.findings if not finding.fixed and finding.code != "XP001"]
        assert told.notes == ("not fixed: line 4 asks to be left as it is",)

    def test_edits_of_a_rule_elsewhere_leave_a_line_alone_that_names_it(self) -> None:
        loop = (
            "import torch\nmodel = torch.nn.Linear(1, 1).cuda()\n"
            "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor x in range(3):\n"
            "    loss = model(torch.ones(1, 1).cuda()).sum()\n    loss.backward()\n    optimizer.step()\n"
        )
        plain = converted(loop)
        assert "torch_xla.sync()" in plain.text
        kept = converted(loop.replace("optimizer.step()", "optimizer.step()  # xlaport: ignore[XP2]"))
        assert "    optimizer.step()  # xlaport: ignore[XP2]\n" in kept.text

    def test_what_is_put_before_a_statement_stands_above_its_comment(self) -> None:
        """Between the two it would take the statement's place below the comment."""
        loop = (
            "import torch\nmodel = torch.nn.Linear(1, 1).cuda()\n"
            "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor x in range(3):\n"
            "    loss = model(torch.ones(1, 1).cuda()).sum()\n    loss.backward()\n    optimizer.step()\n"
            "    # xlaport: ignore[XP301, XP302, XP305]\n    print(loss.item())\n"
        )
        conversion = converted(loop)
        assert "    # xlaport: ignore[XP301, XP302, XP305]\n    print(loss.item())\n" in conversion.text
        assert "torch_xla.sync()\n    # xlaport: ignore" in conversion.text

    def test_the_comment_of_a_statement_that_goes_goes_too(self) -> None:
        """Else it would be about the next one."""
        text = "import torch\n\n# xlaport: ignore[XP301]\ntorch.cuda.empty_cache()\nx = torch.ones(1)\n"
        assert "xlaport" not in converted(text).text.replace("torch_xla", "")

    def test_a_file_is_left_out_whole(self) -> None:
        text = "import torch\n# xlaport: skip-file as it runs on GPUs\nx = torch.ones(1).cuda()  # xlaport: nonsense\n"
        assert converted(text) == Conversion(text, ())
        broken = "# xlaport: skip-file\nprint 'Python 2'\n"
        assert convert(broken, "a.py", RULES, EVERYTHING) == Conversion(broken, ())

    def test_what_is_ignored_in_one_round_is_in_the_next(self) -> None:
        """The first round adds an import above, and the lines move."""
        line = "y = torch.ones(1).cuda()  # xlaport: ignore[XP102]"
        text = f"import torch\nx = torch.ones(1).cuda()\nif torch.cuda.is_available():\n    {line}\nelse:\n    y = x\n"
        assert f"{line}\n" in converted(text).text

    def test_newlines_of_other_systems(self) -> None:
        text = "import torch\r\n# xlaport: ignore\r\nx = torch.ones(1).cuda()\r\ny = x.cuda()\r\n"
        conversion = converted(text)
        assert "# xlaport: ignore\r\nx = torch.ones(1).cuda()\r\n" in conversion.text
        assert codes(conversion) == ["XP102"]


class TestIdle:
    def test_only_rules_that_ran_are_judged(self) -> None:
        text = "import torch\n\nx = torch.zeros(3)  # xlaport: ignore[XP102]\n"
        assert codes(converted(text)) == ["XP001"]
        few = registry.choose(CATALOGUE, ("XP0", "XP3"), ())
        assert convert(text, "a.py", few, EVERYTHING).findings == ()
        text = text.replace("[XP102]", "")
        assert convert(text, "a.py", few, EVERYTHING).findings == ()

    def test_a_rule_on_request_is_judged_where_it_was_asked_for(self) -> None:
        text = "import torch\n\nx = torch.zeros(3)  # xlaport: ignore[XP606]\n"
        assert codes(converted(text)) == []
        asked = registry.choose(CATALOGUE, ("XP", "XP606"), ())
        assert [f.code for f in convert(text, "a.py", asked, EVERYTHING).findings] == ["XP001"]

    def test_not_asked_for_they_are_not_told(self) -> None:
        text = "import torch\n\nx = torch.zeros(3)  # xlaport: ignore XP102\n"
        assert convert(text, "a.py", registry.choose(CATALOGUE, (), ("XP0",)), EVERYTHING).findings == ()

    def test_they_are_ignored_where_they_are_named(self) -> None:
        text = "import torch\n\nx = torch.zeros(3)  # xlaport: ignore[XP102, XP001] found with another target\n"
        assert codes(converted(text)) == []
        text = "import torch\n# xlaport: ignore[XP002]\nx = torch.zeros(3)  # xlaport: nonsense\n"
        assert codes(converted(text)) == []

    def test_the_place_is_that_of_the_comment_before_the_conversion(self) -> None:
        text = "import torch\nx = torch.ones(1).cuda()\ny = 1  # note  # xlaport: ignore[XP102]\n"
        (idle,) = [finding for finding in converted(text).findings if finding.code == "XP001"]
        assert (idle.line, idle.column) == (3, 16)


class TestDocuments:
    @pytest.mark.parametrize(
        ("kind", "text"),
        [
            (Kind.YAML, "device: cuda  # xlaport: ignore[XP811] for the old machines\n"),
            (Kind.YAML, "# xlaport: ignore\ndevice: cuda\n"),
            (Kind.TOML, 'device = "cuda"  # xlaport: ignore[XP8]\n'),
            (Kind.INI, "[a]\n# xlaport: ignore\ndevice = cuda\n"),
            (Kind.SHELL, "export CUDA_VISIBLE_DEVICES=0  # xlaport: ignore[XP814]\n"),
            (Kind.SHELL, "# xlaport: ignore\npython train.py \\\n  --device cuda\n"),
            (Kind.SHELL, "python train.py \\\n  --device cuda  # xlaport: ignore\n"),
            (Kind.DOCKER, "FROM x\n# xlaport: ignore\nCMD python train.py \\\n  --device cuda\n"),
            (Kind.REQUIREMENTS, "flash-attn>=2.3  # xlaport: ignore[XP817]\n"),
            (Kind.SHELL, "#!/bin/sh\n# xlaport: skip-file\npython train.py --device cuda\n"),
        ],
    )
    def test_what_is_ignored_is_neither_told_nor_fixed(self, kind: Kind, text: str) -> None:
        assert documents.convert(Document(text, kind), "a", RULES, EVERYTHING) == Conversion(text, ())
        without = "".join(line.partition("# xlaport:")[0].rstrip() + "\n" for line in text.splitlines())
        assert documents.convert(Document(without, kind), "a", RULES, EVERYTHING).findings

    def test_idle_and_faulty_ones_are_told(self) -> None:
        text = "a: 1  # xlaport: ignore[XP811]\ndevice: cuda  # xlaport: ignore XP811\n"
        found = documents.convert(Document(text, Kind.YAML), "a", RULES, EVERYTHING).findings
        assert [(f.line, f.column, f.code) for f in found] == [(1, 7, "XP001"), (2, 9, "XP811"), (2, 15, "XP002")]

    @pytest.mark.parametrize(
        ("kind", "text"),
        [
            (Kind.YAML, "a: '# xlaport: ignore'\n"),
            (Kind.SHELL, 'echo "  # xlaport: ignore"\n'),
            (Kind.JSON, '{"a": 1} # xlaport: ignore\n'),
            (Kind.YAML, "url: b#xlaport: ignore\n"),
        ],
    )
    def test_what_is_no_comment(self, kind: Kind, text: str) -> None:
        assert in_document(Document(text, kind)).all == ()

    def test_an_apostrophe_opens_no_string(self) -> None:
        assert len(in_document(Document("a: don't  # xlaport: ignore\n", Kind.YAML)).all) == 1


def test_files_without_such_a_comment_are_not_cut_into_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenize.generate_tokens", lambda _: pytest.fail("looked at"))
    convert("import torch\nx = torch.ones(1).cuda()\n", "a.py", RULES, EVERYTHING)
