"""The scalars of a YAML text, with their keys and exact places, by the events of PyYAML's parser.

Events, not nodes: nothing is said a second time where an alias stands, and keys and anchors may come twice. A scalar
that runs over several lines is passed over, since its text is not its value.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

import yaml

from xlaport.documents.document import NEWLINE
from xlaport.documents.entry import ITEM, Entry, Unreadable
from xlaport.finding import Span

_FOREIGN = re.compile("[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What PyYAML refuses, takes for the mark of an encoding, or for the end of a line, which it is not since YAML 1.2."""
_TABS = re.compile(r"(?<=\S)[ \t]*\t[ \t]*")
"""Blanks that indent nothing. Tabs are allowed in them, and PyYAML refuses some."""
_PROPERTIES = re.compile(r"(?:[&!]\S*(?:\s+#.*|\s+)*)*")
"""Anchor and tag, with which a scalar begins for PyYAML, and what lies between them and its text."""


def read(text: str) -> list[Entry]:
    """The scalars of a YAML text. Raises `Unreadable`."""
    told = _TABS.sub(lambda blanks: " " * len(blanks[0]), _FOREIGN.sub("\ufffd", text))
    try:
        events = yaml.parse(told, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        scalars = [scalar for event in events for scalar in _scalars(event, events, ())]
    except yaml.YAMLError as error:
        raise Unreadable from error
    found: list[Entry] = []
    for keys, start, end in scalars:
        properties = _PROPERTIES.match(told, start, end)
        span = Span(properties.end() if properties else start, end)
        written = told[span.start : span.end]
        if written and written[0] not in "|>" and not NEWLINE.search(written):
            quotes = written[0] in "\"'"
            inner = Span(span.start + quotes, span.end - quotes)
            found.append(Entry(keys, text[inner.start : inner.end], span, inner))
    return found


def _scalars(
    event: yaml.Event, events: Iterator[yaml.Event], keys: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """The scalars of the node that begins with `event`, and where each begins and ends; the rest is in `events`."""
    if isinstance(event, yaml.MappingStartEvent):
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            deque(_scalars(key, events, ()), 0)  # a key may be a whole mapping, which has no name
            yield from _scalars(next(events), events, (*keys, getattr(key, "value", "")))
    elif isinstance(event, yaml.SequenceStartEvent):
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            yield from _scalars(item, events, (*keys, ITEM))
    elif isinstance(event, yaml.ScalarEvent):
        yield keys, event.start_mark.index, event.end_mark.index
