"""Loaders as objects: whose batches an expression holds, named tuples, and loops through names that are written."""

from __future__ import annotations

import textwrap

import pytest

from tests.analysis.marks import marked, role
from xlaport.analysis.batches import loader_site
from xlaport.analysis.events import objects_in
from xlaport.analysis.value import NUMBER, TEXT

HEAD = """
a = DataLoader(one, 4)
b = DataLoader(two, 4)
"""


def lines(source: str) -> list[tuple[int, int]]:
    """Where the objects are made of the first thing that is marked: lines of the source, and passes of a loop.

    Of what is made for one call: how many calls lead there.
    """
    sites = map(loader_site, objects_in(marked({"main": HEAD + textwrap.dedent(source)})[0]))
    turns = ((site.line - 4, site.turn) for site in sites)
    return sorted((line, int(turn) if turn.isdigit() else len(turn.split())) for line, turn in turns)


A, B = (1, 0), (2, 0)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("for x in a:\n    mark(x)", [A]),
        ("for i, (x, y) in enumerate(a):\n    mark(y)", [A]),
        ("for x, y in zip(a, b):\n    mark(y)", [B]),
        ("import itertools\nfor x in itertools.chain(a, b):\n    mark(x)", [A, B]),
        ("import itertools\nfor x in itertools.islice(itertools.cycle(a), 9):\n    mark(x)", [A]),
        ("def g(*feeds):\n    while True:\n        for f in feeds:\n            yield from f\n"
         "for x in g(b):\n    mark(x)", [B]),
        ("it = iter(a)\nmark(it)", [A]),
        ("class C:\n    def __init__(self, f):\n        self.f = f\n    def __iter__(self):\n        for x in self.f:\n"
         "            yield x\nfor x in C(a):\n    mark(x)", [A]),
        # what stands by itself
        ("first = next(iter(a))\nmark(first)", []),
        ("for x in a:\n    for row in x:\n        mark(row)", []),
        ("for x in a:\n    mark(x.cuda())", [A]),
        # each call of a function has what it is given
        ("def g(f):\n    for x in f:\n        yield x\nfor x in g(a):\n    mark(x)\nfor x in g(b):\n    pass", [A]),
        ("def same(f):\n    return f\nmark(same(b))\nsame(a)", [B]),
        ("def go(f):\n    mark(f)\ngo(a)\ngo(b)", [A, B]),
        # named tuples
        ("from collections import namedtuple\nT = namedtuple('T', 'u v')\nmark(T(a, b).v)", [B]),
        ("from collections import namedtuple\nT = namedtuple('T', ['u', 'v'])\nmark(T(v=a, u=b)[1])", [A]),
        ("from collections import namedtuple\nT = namedtuple('T', 'u, v')\nu, v = T(a, b)\nmark(v)", [B]),
        ("from collections import namedtuple\nT = namedtuple('T', 'u v')\nfor f in T(a, b):\n    mark(f)", [A, B]),
        # names
        ("d = {}\nfor n, x in (('t', 1), ('v', 2)):\n    d[n] = DataLoader(x)\nmark(d['v'])", [(5, 2)]),
        ("d = {n: DataLoader(n) for n in ['t', 'v']}\nmark(d['t'])", [(3, 1)]),
        ("d = {n: DataLoader(x) for n, x in {'t': 1, 'v': 2}.items() if n != 't'}\nmark(d['v'])", [(3, 2)]),
        ("d = {}\nfor n in ('t', 'v'):\n    if n == 't':\n        d[n] = a\n    else:\n        d[n] = b\n"
         "mark(d['v'])", [B]),
        ("d = {}\nfor n in ('t', 'v'):\n    mark(DataLoader(n))", [(5, 1), (5, 2)]),
        ("d = {}\nfor n in unknown:\n    d[n] = DataLoader(n)\nmark(d['v'])", [(5, 0)]),
        # questions with one answer
        ("k = {'t': True}\nmark(b if not k['t'] else a)", [A]),
        ("def f(kind):\n    mark(a if kind == 'a' else b)\nf('a')", [A]),
        ("def f(kind):\n    mark(a if kind == 'a' else b)\nf('a')\nf('b')", [A, B]),
        ("def f(kind):\n    mark(a if kind in ('x', 'y') else b)\nf('a')", [B]),
        ("def f(kind):\n    if kind == 'a':\n        return a\n    return b\nmark(f('a'))", [A]),
        ("def f(kind):\n    if kind == 'b':\n        return b\n    elif kind == 'a':\n        return a\n"
         "mark(f('a'))", [A]),
        ("def f(kind):\n    if kind == 'a' and unknown:\n        return a\n    return b\nmark(f('a'))", [A, B]),
        ("def f(kind, o=False):\n    if o or kind == 'a':\n        x = a\n    else:\n        x = b\n    return x\n"
         "mark(f('c'))", [B]),
        ("def f(kind):\n    return a if kind else b\nmark(f(True))\nf(False)", [A]),
        ("def f(kind):\n    if not kind:\n        return a, b\n    return b, a\nx, y = f(0)\nmark(x)\nf(1)", [A]),
        ("def f(kind):\n    if kind == 'a':\n        x = a\n    else:\n        x = b\n    mark(x)\nf('a')", [A, B]),
        ("def f(rows):\n    return DataLoader(rows)\nmark(f(1))\nf(2)", [(4, 1)]),
        ("def f(rows):\n    return DataLoader(rows)\ndef g(rows):\n    return f(rows), 1\nmark(g(1)[0])", [(4, 2)]),
        ("def f(n):\n    return f(n - 1) if n else a\nmark(f(3))", [A]),
        ("def f(kind):\n    for x in unknown:\n        if kind:\n            return a\n    return b\n"
         "mark(f('a'))", [A, B]),
        ("def f(kind):\n    mark(a if kind == 'a' else b)\nf('a')\nf(None)", [A, B]),
        ("def f(kind):\n    mark(a if kind else b)\nf('a')\nf(None)", [A, B]),
        ("def f(o):\n    mark(a if o.kind else b)\nclass O:\n    kind = 'a'\nf(O())", [A, B]),
        # what a function binds for the module
        ("c = None\ndef f():\n    global c\n    c = a\nf()\nmark(c)", [A]),
    ],
)  # fmt: skip
def test_the_loaders_that_an_expression_comes_from(source: str, expected: list[tuple[int, int]]) -> None:
    assert lines(source) == expected


def test_a_name_is_no_constant_behind_the_loop_through_names() -> None:
    value = marked({"main": "for n in ('a', 'b'):\n    mark(n)"})[0]
    assert (value.type, value.constant) == (TEXT, None)
    value = marked({"main": "for n, k in {'a': 1, 'b': 2}.items():\n    mark(k)"})[0]
    assert (value.type, value.constant) == (NUMBER, None)


def test_the_keys_of_a_dict_are_texts() -> None:
    assert role("for k in {'a': unknown}:\n    mark(k)") == "text"
    assert role("for k, v in {'a': torch.zeros(2)}.items():\n    mark(k)") == "text"
