"""The pages of the rules: complete, honest about what they rest on, and in the table that is kept of them."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from pathlib import Path

import pytest

from tools import write_catalogue
from xlaport import engine, registry
from xlaport.context import known_roles
from xlaport.documents import convert as document_engine
from xlaport.documents.document import Document
from xlaport.facts.program import Program
from xlaport.notebook.magics import mask
from xlaport.report import glossary, rule_page
from xlaport.rule import Applicability, DocumentRule, Rule, SuppressionRule
from xlaport.targets.known import first_with

ROOT = Path(__file__).parent.parent
RULES = registry.load()
CODES = [rule.code for rule in RULES]
ADDED = ["Applicability", "Targets", "How to suppress it", "Related"]
HOSTS = (
    "docs.pytorch.org", "docs.python.org", "github.com/pytorch/", "cloud.google.com", "lightning.ai/docs",
    "huggingface.co/docs", "ipython.readthedocs.io",
)  # fmt: skip
"""Public documentation, and the issues of PyTorch's own projects."""


@pytest.mark.parametrize("rule", RULES, ids=CODES)
class TestPage:
    def test_docstring_has_its_sections_in_order(self, rule: Rule) -> None:
        summary, sections = rule_page.parts(rule)
        assert tuple(sections) == rule_page.SECTIONS
        assert all(text.strip() for text in (summary, *sections.values()))
        assert summary.endswith(".")

    def test_page_says_what_is_the_same_for_all(self, rule: Rule) -> None:
        page = rule_page.page(rule, RULES)
        titles = re.findall(r"^## (.*)$", page, re.MULTILINE)
        assert [title for title in titles if title != "Words"] == [*rule_page.SECTIONS[:-1], *ADDED]
        assert page.startswith(f"# {rule.code}: {rule.name}\n")
        assert f"**{rule.applicability.value}**" in page
        assert f"--ignore {rule.code}" in page
        assert f"# xlaport: ignore[{rule.code}]" in page
        assert ("JSON" in page.split("## How to suppress it")[1].split("\n## ")[0]) is isinstance(rule, DocumentRule)
        assert (f"--select XP,{rule.code}" in page) is rule.on_request
        several = {"XP602", "XP603", "XP607", "XP609", "XP610", "XP612", "XP705", "XP706"}
        assert ("`--multi`" in page) is (rule.code in several)

    def test_page_fits_a_terminal(self, rule: Rule) -> None:
        for line in rule_page.page(rule, RULES).splitlines():
            assert len(line) <= 120 or "https://" in line, line

    def test_sources_are_measured_or_public(self, rule: Rule) -> None:
        sources = re.sub(r"\n +", " ", rule_page.parts(rule)[1]["Sources"]).splitlines()
        for source in sources:
            assert source.startswith("- "), source
            links = re.findall(r"https://(\S+)", source)
            assert all(link.startswith(HOSTS) for link in links), source
            tables = re.findall(r"`(rules/\S+)`", source)
            assert all((ROOT / table).is_file() for table in tables), source
            measured = re.match(r"- (Measured (on|with)|Read (in the source of|from the modules of)) .*\d\.\d", source)
            assert links or tables or measured or source.startswith("- IEEE 754"), source

    def test_what_is_measured_is_a_source(self, rule: Rule) -> None:
        _, sections = rule_page.parts(rule)
        if re.search(r"\bmeasured\b", sections["Why"] + sections["When it is wrong"], re.IGNORECASE):
            assert "Measured" in sections["Sources"]

    def test_codes_that_it_names_exist(self, rule: Rule) -> None:
        related = rule_page.related_codes(rule)
        assert related
        assert rule.code not in related
        assert len(set(related)) == len(related)
        assert set(re.findall(r"\bXP\d{3}\b", rule.documentation())) <= set(CODES)

    def test_it_rests_on_nothing_that_the_reader_has_not(self, rule: Rule) -> None:
        assert not re.search(r"\btraps?\b|knowledge/|/work/|porting\.md", rule.documentation())

    def test_json_says_the_same(self, rule: Rule) -> None:
        row = json.loads(rule_page.as_json(rule))
        assert (row["code"], row["name"], row["applicability"]) == (rule.code, rule.name, rule.applicability.value)
        assert list(row["sections"]) == list(rule_page.SECTIONS)
        assert row["related"] == list(rule_page.related_codes(rule))
        assert row["documentation"] == rule.documentation()


def blocks(rule: Rule) -> list[str]:
    """The indented blocks of the page's example: before, and what takes its place, in one way or several."""
    example = rule_page.parts(rule)[1]["Example"]
    found = re.findall(r"(?:^(?: {4}.*)?\n)+", example + "\n", re.MULTILINE)
    return [text for block in found if (text := textwrap.dedent(block).strip("\n") + "\n").strip()]


@pytest.mark.parametrize("rule", [r for r in RULES if r.applicability is Applicability.MANUAL], ids=lambda r: r.code)
def test_what_a_page_says_to_write_by_hand_is_not_reported(rule: Rule) -> None:
    before, *after = blocks(rule)
    assert found_in(before, rule)
    assert after, "the page does not show what to write instead"
    assert not any(found_in(text, rule) for text in after)


def found_in(text: str, rule: Rule) -> bool:
    """Whether a rule finds something in an example, which takes the usual imports for granted."""
    settings = engine.Settings(first_with(rule.traits), frozenset(Applicability))
    if isinstance(rule, DocumentRule):
        return bool(document_engine.convert(Document(text, rule.kinds[0]), "before", [rule], settings).findings)
    if rule.of_notebooks:
        member = engine.Member(Program(further=known_roles(settings.target)), is_notebook=True)
        return bool(engine.convert(mask(text).text, "before.ipynb", [rule], settings, member=member).findings)
    text = f"import time\nimport torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader\n{text}"
    ast.parse(text)
    # What a comment does can be said where those rules look that it names.
    rules = RULES if isinstance(rule, SuppressionRule) else [rule]
    return any(f.code == rule.code for f in engine.convert(text, "before.py", rules, settings).findings)


class Bare(Rule):
    """A rule of the user's own, without sections."""

    code, name, summary = "MY001", "mine", "what is mine"
    applicability = RULES[0].applicability
    words = ("mine",)


def test_a_page_without_sections_has_what_is_the_same_for_all() -> None:
    page = rule_page.page(Bare(), RULES)
    assert page.startswith("# MY001: mine\n\nA rule of the user's own, without sections.\n\n## Applicability\n")
    assert "## Related" not in page


def test_words_are_told_where_they_are_used() -> None:
    assert glossary.words_in("Two barriers cut the graph.").count("\n- **") == 1
    assert "**barrier**" in glossary.words_in("Two barriers cut it.")
    assert glossary.words_in("It is stepped over, and hosted.") == ""


def test_the_table_is_up_to_date() -> None:
    written = write_catalogue.FILE.read_text(encoding="utf-8")
    assert written == write_catalogue.text(), "run python -m tools.write_catalogue"


def test_the_links_of_the_table_lead_to_the_rules() -> None:
    links = dict(re.findall(r'<a id="(xp\d{3})"></a>\[XP\d{3}\]\((.*?)\)', write_catalogue.text()))
    assert sorted(links) == [code.lower() for code in CODES]
    for code, file in links.items():
        assert f'code = "{code.upper()}"' in (write_catalogue.FILE.parent / file).read_text(encoding="utf-8")
