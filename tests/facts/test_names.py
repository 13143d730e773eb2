"""Names: what a name is bound to, and what it resolves to. A wrong answer is worse than none."""

from __future__ import annotations

import ast
import textwrap

import pytest

from xlaport.facts.module import Module
from xlaport.facts.names import How, Names


def names_of(source: str) -> Names:
    return Names(Module(textwrap.dedent(source).strip("\n")))


def mark(names: Names) -> ast.expr:
    """The argument of ``mark(…)``."""
    for call in names.module.calls:
        if isinstance(call.func, ast.Name) and call.func.id == "mark":
            return call.args[0]
    raise AssertionError("no mark(…)")


def resolved(source: str) -> str | None:
    names = names_of(source)
    return names.resolve(mark(names))


@pytest.mark.parametrize(
    "source",
    [
        "mark(torch.cuda)",
        "def f(torch): mark(torch.cuda)",
        "import torch\ndef f(torch): mark(torch.cuda)",
        "from torch import cuda\ndef f(cuda): mark(cuda)",
        "import torch\ndef f():\n    torch = g()\n    mark(torch.cuda)",
        "import torch\ndef f():\n    mark(torch.cuda)\n    torch = 1",
        "import torch\ntorch = wrap(torch)\nmark(torch.cuda)",
        "import torch\nfor torch in x: mark(torch.cuda)",
        "import torch\nwith c() as torch: mark(torch.cuda)",
        "import torch\ntry: pass\nexcept E as torch: mark(torch.cuda)",
        "import torch\nif (torch := 1): mark(torch.cuda)",
        "import torch\n[mark(torch.cuda) for torch in x]",
        "import torch\n(lambda torch: mark(torch.cuda))(1)",
        "import torch\nmatch x:\n    case [torch, *_]: mark(torch.cuda)",
        "import torch\nmatch x:\n    case {'a': 1, **torch}: mark(torch.cuda)",
        "import torch\ndef torch(): pass\nmark(torch.cuda)",
        "import torch\nclass torch: pass\nmark(torch.cuda)",
        "import torch\ndel torch\nmark(torch.cuda)",
        "import torch\ntorch += 1\nmark(torch.cuda)",
        "import torch\ndef f():\n    global torch\n    torch = 1\nmark(torch.cuda)",
        "import torch\n[(torch := 1) for _ in x]\nmark(torch.cuda)",
        "try: import torch\nexcept ImportError: torch = Stub()\nmark(torch.cuda)",
        "try: from apex import amp\nexcept ImportError: from torch.cuda import amp\nmark(amp.autocast)",
        "import torch\nmark(torch.cuda.amp().autocast)",
        "import torch\nmark(torch['cuda'])",
        "import torch\nmark(getattr(torch, 'cuda'))",
        "import torch\ndev = torch.cuda if c else torch.cpu\nmark(dev)",
        "import torch\nt = torch.cuda\nt = torch.cpu\nmark(t)",
        "import torch\nt, u = torch.cuda, 1\nt = 2\nmark(t)",
        "class C:\n    import torch\n    def f(self): mark(torch.cuda)",
        "class C:\n    import torch\n    x = [mark(torch.cuda) for _ in y]",
        "def f(): import torch\nmark(torch.cuda)",
        "print = log\nmark(print)",
        "def f(print): mark(print)",
        "a = b\nb = a\nmark(a)",
    ],
)
def test_never_guesses(source: str) -> None:
    assert resolved(source) is None


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import torch\nmark(torch.cuda.amp)", "torch.cuda.amp"),
        ("import torch as t\nmark(t.cuda)", "torch.cuda"),
        ("import torch.cuda\nmark(torch.cuda)", "torch.cuda"),
        ("import torch.cuda.amp as amp\nmark(amp.autocast)", "torch.cuda.amp.autocast"),
        ("import torch, torch.nn\nmark(torch.nn)", "torch.nn"),
        ("from torch import cuda\nmark(cuda.amp)", "torch.cuda.amp"),
        ("from torch.cuda import amp as a\nmark(a.autocast)", "torch.cuda.amp.autocast"),
        ("from . import utils\nmark(utils.x)", ".utils.x"),
        ("from ..lib import utils\nmark(utils.x)", "..lib.utils.x"),
        ("try: import torch\nexcept E: raise\nmark(torch.cuda)", "torch.cuda"),
        ("try: import torch\nexcept E: import torch\nmark(torch.cuda)", "torch.cuda"),
        ("import torch\ncuda = torch.cuda\nmark(cuda.amp)", "torch.cuda.amp"),
        ("import torch\na, b = torch.cuda, 1\nmark(a.amp)", "torch.cuda.amp"),
        ("import torch\nif (c := torch.cuda): mark(c.amp)", "torch.cuda.amp"),
        ("import torch\ndef f(): mark(torch.cuda)", "torch.cuda"),
        ("def f():\n    import torch\n    def g(): mark(torch.cuda)", "torch.cuda"),
        ("import torch\ndef f(x=mark(torch.cuda), torch=1): pass", "torch.cuda"),
        ("import torch\n@mark(torch.cuda)\ndef f(torch): pass", "torch.cuda"),
        ("import torch\ndef f(torch: mark(torch.cuda)): pass", "torch.cuda"),
        ("import torch\nlambda torch=mark(torch.cuda): 1", "torch.cuda"),
        ("import torch\nclass C(mark(torch.cuda)):\n    torch = 1", "torch.cuda"),
        ("import torch\nclass C:\n    torch = 1\n    def f(self): mark(torch.cuda)", "torch.cuda"),
        ("import torch\n[torch for torch in mark(torch.cuda)]", "torch.cuda"),
        ("import torch\n[1 for x in y for z in mark(torch.cuda)]", "torch.cuda"),
        ("import torch\ndef f():\n    global torch\n    mark(torch.cuda)", "torch.cuda"),
        ("import torch\ndef f():\n    torch: T\ndef g(): mark(torch.cuda)", "torch.cuda"),
        ("import torch\nasync def f():\n    async with x: mark(torch.cuda)", "torch.cuda"),
        ("import torch\nf(*mark(torch.cuda), **x)", "torch.cuda"),
        ("import torch\nmatch x:\n    case torch.float32: mark(torch.cuda)", "torch.cuda"),
        ("mark(print)", "builtins.print"),
    ],
)
def test_resolves(source: str, name: str) -> None:
    assert resolved(source) == name


def test_a_class_reads_its_own_names_in_the_first_iterable_of_a_comprehension() -> None:
    assert resolved("class C:\n    import torch\n    x = [1 for _ in mark(torch.cuda)]") == "torch.cuda"


def test_scope_of_the_first_iterable_is_the_one_outside() -> None:
    names = names_of("def f(x): return [y for y in mark(x) if y]")
    function = names.module.tree.body[0]
    assert names.scope(mark(names)) is names.scope_of(function)


def test_nonlocal_above_the_assignment_that_it_means() -> None:
    names = names_of(
        """
        def f():
            def g():
                nonlocal x
                x = 2
            x = 1
            mark(x)
        """
    )
    use = mark(names)
    assert isinstance(use, ast.Name)
    assert sorted(getattr(b.node, "lineno", 0) for b in names.bindings(use)) == [4, 5]
    assert [b.elsewhere for b in names.bindings(use)] == [False, True]


def test_a_walrus_in_a_comprehension_binds_outside_of_it() -> None:
    names = names_of("def f():\n    [(y := x) for x in z]\n    mark(y)")
    use = mark(names)
    assert isinstance(use, ast.Name)
    (binding,) = names.bindings(use)
    assert names.scope(binding.node) is names.home(use)


@pytest.mark.parametrize(
    ("statement", "how", "index"),
    [
        ("x = 1", How.ASSIGN, None),
        ("x: int = 1", How.ASSIGN, None),
        ("a, x = 1, 2", How.ASSIGN, None),
        ("a, x = f()", How.UNPACK, 1),
        ("a, (b, x) = f()", How.UNPACK, None),
        ("*a, x = f()", How.UNPACK, None),
        ("a, *x = f()", How.OTHER, None),
        ("x += 1", How.AUGMENT, None),
        ("for a, x in f(): pass", How.FOR, None),
        ("with f() as x: pass", How.WITH, None),
        ("with f() as a, g() as x: pass", How.WITH, None),
        ("import x.y", How.IMPORT, None),
        ("def x(): pass", How.FUNCTION, None),
        ("class x: pass", How.CLASS, None),
    ],
)
def test_how_a_name_is_bound(statement: str, how: How, index: int | None) -> None:
    names = names_of(f"{statement}\nmark(x)")
    use = mark(names)
    assert isinstance(use, ast.Name)
    (binding,) = names.bindings(use)
    assert (binding.how, binding.index) == (how, index)


def test_uses_are_in_source_order() -> None:
    names = names_of("x = 1\ndef f():\n    x\nx\n[x for _ in x]\nx")
    assert [use.lineno for use in names.uses(names.root, "x")] == [3, 4, 5, 5, 6]


class TestFree:
    def test_not_what_is_bound_or_builtin_or_used(self) -> None:
        names = names_of("x = 1\ndef f(y):\n    mark(1)\n    z\ndef g(w): w")
        here = mark(names)
        assert not any(names.is_free(name, here) for name in ("x", "y", "f", "print", "z", "w"))
        assert names.is_free("v", here)


def lines_of_uses(source: str, statement: int) -> list[int]:
    names = names_of(source)
    bound = names.module.tree.body[statement]
    assert isinstance(bound, ast.Assign)
    return [use.lineno for use in names.uses_of(bound.targets[0])]


@pytest.mark.parametrize(
    ("source", "statement", "lines"),
    [
        ("x = f()\ng(x)\ndef h():\n    return x", 0, [2, 4]),
        ("x = f()\ng(x)\nx = h()\ng(x)", 0, [2]),
        ("x = f()\ng(x)\nx = h()\ng(x)", 2, [4]),
        ("x = f()\nif c:\n    x = h()\ng(x)", 0, [4]),
        ("x = f()\ng()", 0, []),
        ("a.x = f()\ng(a.x)", 0, []),
    ],
)
def test_uses_of_what_a_statement_binds(source: str, statement: int, lines: list[int]) -> None:
    assert lines_of_uses(source, statement) == lines


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("x = f()\nmark(x)", "f()"),
        ("x = f()\nx = g()\nmark(x)", "g()"),
        ("x = f()\nif c:\n    x = g()\nmark(x)", None),
        ("x, y = f()\nmark(x)", None),
        ("for x in f(): mark(x)", None),
        ("def h(x): mark(x)", None),
        ("mark(x)", None),
        ("a.x = f()\nmark(a.x)", None),
    ],
)
def test_what_a_name_is_assigned(source: str, value: str | None) -> None:
    names = names_of(source)
    found = names.assigned(mark(names))
    assert (ast.unparse(found) if found is not None else None) == value
