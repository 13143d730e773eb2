"""The pages say what there is: options, words, links, and no more than a reader has time for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from tests.docs.examples import ROOT
from tools import write_picture
from xlaport import registry
from xlaport.cli import app
from xlaport.configuration import keys
from xlaport.report import glossary

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
OF_OTHERS = {
    "--nproc_per_node", "--epochs", "--device", "--worker", "--zone", "--command", "--from", "--to", "--strict",
    "--snapshot-update", "--write", "--corpus", "--inputs", "--seed", "--torchfix", "--batch-size",
}  # fmt: skip
"""Options of other programs, and of our tools."""
WORDS = re.compile(
    r"\b(?:asks? the (?:device|TPU)|please|simply|e\.g\.|i\.e\.|etc\.|anew|in the place of)", re.IGNORECASE
)
"""What docs/writing.md does not want."""
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def options() -> set[str]:
    """Every option of every command."""
    group = typer.main.get_command(app)
    commands = [group, *getattr(group, "commands", {}).values()]
    named = {name for command in commands for parameter in command.params for name in parameter.opts}
    named |= {name for command in commands for parameter in command.params for name in parameter.secondary_opts}
    return {name for name in named if name.startswith("-")} | {"--help"}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_options_that_a_page_names_exist(page: Path) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", page.read_text(encoding="utf-8")))
    assert named - OF_OTHERS <= options()


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_codes_that_a_page_names_exist(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    codes = set(re.findall(r"\bXP\d{3}\b", text))
    assert codes <= {rule.code for rule in registry.load()}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    """To files of the repository; a page of a rule is made when the pages are built."""
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith(("https://", "#")):
            continue
        place = (page.parent / link.partition("#")[0]).resolve()
        assert place.exists() or place.parent == ROOT / "docs" / "rules", link


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_a_page_keeps_to_the_words(page: Path) -> None:
    """As docs/writing.md has it, which shows what not to write."""
    if page.name == "writing.md":
        return
    text = page.read_text(encoding="utf-8")
    assert not WORDS.findall(text)
    assert all(len(line) <= 120 or line.startswith(("|", "![")) or "{" in line or "$ " in line for line in prose(text))


def prose(text: str) -> list[str]:
    """The lines outside of blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE).splitlines()


def test_the_first_pages_are_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()) <= 110


def test_every_key_of_the_configuration_is_told() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    for key in (*keys.RUN, *keys.OF_VERIFY):
        assert f"`{key}`" in text, key


def test_every_option_of_a_command_is_told() -> None:
    """On some page: what a command has, and nobody is told, is of no use."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    told = {name for name in options() if re.search(rf"{name}(?![\w-])", text)}
    hidden = {"--show-completion"}
    assert {name for name in options() if name.startswith("--")} - told - hidden == set()


def test_every_word_of_the_glossary_is_told() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^\*\*(.+?)\*\*: ", text, re.MULTILINE)
    assert words == sorted(words, key=str.casefold)
    assert set(glossary.WORDS) <= set(words)


def test_the_picture_is_what_is_drawn_today() -> None:
    picture = write_picture.picture()
    if write_picture.is_asked_for():
        write_picture.FILE.write_text(picture, encoding="utf-8")
    assert write_picture.FILE.read_text(encoding="utf-8") == picture, "python -m tools.write_picture"
    assert not re.search(r"(?:href|src|url\()\W*https?:|@import|@font-face", picture)
