"""The pages of rules, which are written in Markdown, as HTML."""

from __future__ import annotations

from markdown_it import MarkdownIt

from xlaport.report.markup import Markup, element, raw
from xlaport.report.printable import printable
from xlaport.rule import Rule

_TOP = 4
"""The level of a page's uppermost headings in a report."""


def article(rule: Rule) -> Markup:
    """One rule explained, with the anchor of its code. HTML in the page is shown as text, and no image is loaded."""
    markdown = MarkdownIt("commonmark", {"html": False}).disable("image")
    tokens = markdown.parse("\n".join(map(printable, rule.documentation().splitlines())))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + _TOP - 2)}"
    body = raw(markdown.renderer.render(tokens, markdown.options, {}))
    return element(
        "article",
        element("h3", element("code", rule.code), f" {rule.name}"),
        element("p", rule.summary, class_="muted"),
        body,
        id=f"rule-{rule.code}",
    )
