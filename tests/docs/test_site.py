"""The documentation is built from the pages and the rules, strictly and offline: `make docs`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.docs.examples import ROOT
from tools import rule_pages
from xlaport import registry

CODES = [rule.code for rule in registry.load()]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_rule_has_a_page_and_a_place_in_the_index(site: Path) -> None:
    index = (site / "rules" / "index.html").read_text(encoding="utf-8")
    for code in CODES:
        assert f'<a href="{code}.html">{code}</a>' in index
        assert "<h1 id=" in (site / "rules" / f"{code}.html").read_text(encoding="utf-8")


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        for tag in re.findall(r"<(?:script|img|iframe|source|link)\b[^>]*>", page.read_text(encoding="utf-8")):
            assert "http" not in tag or "canonical" in tag, (page, tag)


def test_a_rule_page_is_what_explain_prints_with_links() -> None:
    pages = rule_pages.pages()
    assert set(pages) == {rule_pages.INDEX, *(f"rules/{code}.md" for code in CODES)}
    text = pages["rules/XP203.md"]
    assert text.startswith("# XP203: optimizer-before-move\n")
    assert "- [XP205](XP205.md) tie-before-move: " in text


def test_lists_are_lists() -> None:
    """mkdocs takes what follows a paragraph directly for a part of it."""
    for name, text in rule_pages.pages().items():
        lines = text.splitlines()
        for before, line in pairwise(lines):
            assert not line.startswith("- ") or before.startswith(("- ", "  ", "#")) or not before, (name, line)
