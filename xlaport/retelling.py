"""A finding in the words of the target that is written for: the texts of the rules speak of torch_xla."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from xlaport.finding import Finding
from xlaport.target import Target, Trait


def retold(finding: Finding, target: Target, traits: Collection[Trait] = ()) -> Finding:
    """The finding as the rule's texts for this target have it, or with the names that it has for the same.

    A rule about programs for torch_xla, as its `traits` say, means torch_xla where it says so.
    """
    text = dict(finding.of_tables).get(target.table)
    if text is not None:
        return replace(finding, message=text.message, recipe=text.recipe, snippet=text.snippet)
    if not target.words or Trait.SUCCEEDS_XLA in traits:
        return finding
    said = [in_words_of(target, each) for each in (finding.message, finding.recipe, finding.snippet)]
    return replace(finding, message=said[0], recipe=said[1], snippet=said[2])


def in_words_of(target: Target, text: str) -> str:
    """A text with the names that a target has for the same."""
    for old, new in target.words.items():
        text = text.replace(old, new)
    return text
