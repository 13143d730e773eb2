"""Edits become splices: exact ranges of the text. What lies outside of them stays, byte by byte."""

from __future__ import annotations

import ast

import pytest

from xlaport.edits import EditError, Realiser, SharedLineError
from xlaport.facts.module import Module
from xlaport.layout import laid_out
from xlaport.rule import (
    Edit,
    InsertStatement,
    MoveStatement,
    RemoveArgument,
    RemoveItem,
    RemoveStatement,
    Replace,
    ReplaceStatement,
    Span,
)
from xlaport.splices import Splice, apply


def at(text: str, piece: str) -> Span:
    """The place of a piece that stands in the text once."""
    assert text.count(piece) == 1, piece
    start = text.index(piece)
    return Span(start, start + len(piece))


def edited(text: str, *edits: Edit, newline: str = "\n") -> str:
    """The text with the edits; shared lines are opened first, as the engine does it."""
    realiser = Realiser(Module(text), newline)
    splices = [splice for edit in edits for splice in realiser.splices(edit)]
    new = apply(text, laid_out(text, splices))
    ast.parse(new)
    return new


def opened(text: str, edit: Edit, newline: str = "\n") -> str:
    """The text with the statement's shared line opened."""
    with pytest.raises(SharedLineError) as caught:
        Realiser(Module(text), newline).splices(edit)
    new = apply(text, caught.value.opening)
    ast.parse(new)
    return new


def removed(text: str, piece: str, newline: str = "\n") -> str:
    return edited(text, RemoveStatement(at(text, piece)), newline=newline)


def inserted(text: str, anchor: str, code: str = "new()", before: bool = False, newline: str = "\n") -> str:
    return edited(text, InsertStatement(at(text, anchor), code, before), newline=newline)


def moved(text: str, piece: str, anchor: str, before: bool = False, newline: str = "\n") -> str:
    return edited(text, MoveStatement(at(text, piece), at(text, anchor), before), newline=newline)


class TestArgument:
    def test_of_another_call_is_refused(self) -> None:
        text = "f(a, b)\ng(c)\n"
        with pytest.raises(EditError, match="not part of the call"):
            edited(text, RemoveArgument(at(text, "f(a, b)"), at(text, "c")))
        with pytest.raises(EditError, match="not the expression"):
            edited(text, RemoveArgument(at(text, "f(a"), at(text, "b")))

    @pytest.mark.parametrize(
        ("text", "argument", "expected"),
        [
            ("x = f(a, b=1)  # c\n", "b=1", "x = f(a)  # c\n"),
            ("ä = f('é', b=1, c='ß')  # ü\n", "b=1", "ä = f('é', c='ß')  # ü\n"),
            ("f(*a, b=1, **c)\n", "b=1", "f(*a, **c)\n"),
            ("f(*a, b=1, **c)\n", "**c", "f(*a, b=1)\n"),
            ("f(*a, b=1, **c)\n", "*a", "f(b=1, **c)\n"),
        ],
    )
    def test_goes(self, text: str, argument: str, expected: str) -> None:
        call = next(iter(Module(text).calls))
        assert edited(text, RemoveArgument(Module(text).span(call), at(text, argument))) == expected

    def test_leaves_room_for_an_edit_of_its_neighbour(self) -> None:
        text = "f(a.cuda(), pin=True)\n"
        call = RemoveArgument(at(text, "f(a.cuda(), pin=True)"), at(text, "pin=True"))
        assert edited(text, call, Replace(at(text, ".cuda()"), ".to(d)")) == "f(a.to(d))\n"

    def test_owns_all_of_itself_even_where_it_looks_like_its_neighbour(self) -> None:
        text = "f(x.cuda(), x.cuda(1))\n"
        (splice,) = Realiser(Module(text), "\n").splices(RemoveArgument(Span(0, len(text) - 1), at(text, "x.cuda()")))
        inner = at(text, "x.cuda()")
        assert Splice(inner.start, inner.start + 1, "y").conflicts(splice)


def test_item_of_a_dict_goes() -> None:
    text = "d = {'a': 1, **b, 'pin': True}\n"
    assert edited(text, RemoveItem(at(text, "{'a': 1, **b, 'pin': True}"), at(text, "'pin'"))) == "d = {'a': 1, **b}\n"
    with pytest.raises(EditError, match="not part of the dict"):
        edited(text, RemoveItem(at(text, "{'a': 1, **b, 'pin': True}"), at(text, "True")))


class TestRemoval:
    @pytest.mark.parametrize(
        ("text", "piece", "expected"),
        [
            ("a\nb\nc\n", "b", "a\nc\n"),
            ("a\nb", "b", "a\n"),
            ("a\r\nb\r\nc\r\n", "b", "a\r\nc\r\n"),
            ("a\nb  # why\nc\n", "b", "a\nc\n"),
            ("a\n# about b\nb\nc\n", "b", "a\n# about b\nc\n"),
            ("if x:\n    b\n", "b", "if x:\n    pass\n"),
            ("if x:\n    b  # why\n", "b", "if x:\n    pass  # why\n"),
            ("if x: b\n", "b", "if x: pass\n"),
            ("if x:\n    a\n    b\n", "b", "if x:\n    a\n"),
            ("if x:\n\ta\n\tb\n", "b", "if x:\n\ta\n"),
            ("a\n\nb\n\nc\n", "b", "a\n\nc\n"),
            ("a\n\nb\nc\n", "b", "a\n\nc\n"),
            ("f(\n  1,\n)\nc\n", "f(\n  1,\n)", "c\n"),
            ("é = 'ü'; \\\nb\n", "b", "é = 'ü'\n"),
            ("x = 1 \\\n  + 2\nc\n", "x = 1 \\\n  + 2", "c\n"),
            ("\fa\nb\n", "b", "\fa\n"),
            ("a  # no end \\\nb\n", "b", "a  # no end \\\n"),
            ("a = '#' \\\r# no end \\\rb\rc\r", "b", "a = '#' \\\r# no end \\\rc\r"),
        ],
    )
    def test_takes_the_line_and_no_more(self, text: str, piece: str, expected: str) -> None:
        if ";" in text:
            text = opened(text, RemoveStatement(at(text, piece)))
        tree = Module(text)
        span = next(tree.span(s) for s in ast.walk(tree.tree) if isinstance(s, ast.stmt) and tree.segment(s) == piece)
        assert edited(text, RemoveStatement(span)) == expected

    def test_takes_the_decorators_with_it(self) -> None:
        text = "a\n@d\n@(\n  e)\ndef f():\n    pass\nb\n"
        module = Module(text)
        assert edited(text, RemoveStatement(module.span(module.tree.body[1]))) == "a\nb\n"

    def test_of_what_is_no_statement(self) -> None:
        with pytest.raises(EditError, match="not a statement"):
            edited("a + b\n", RemoveStatement(Span(0, 1)))


class TestReplacement:
    def test_keeps_comment_and_indentation(self) -> None:
        text = "if x:\n    b()  # why\n"
        assert edited(text, ReplaceStatement(at(text, "b()"), "c()\nd()")) == "if x:\n    c()\n    d()  # why\n"

    def test_of_one_line_fits_beside_others(self) -> None:
        text = "a(); b(); c()\n"
        assert edited(text, ReplaceStatement(at(text, "b()"), "d()")) == "a(); d(); c()\n"
        text = "if x: b()\n"
        assert edited(text, ReplaceStatement(at(text, "b()"), "d()")) == "if x: d()\n"

    def test_of_more_lines_opens_the_shared_line(self) -> None:
        text = "if x: a(); b()  # why\n"
        edit = ReplaceStatement(at(text, "b()"), "c()\nd()")
        assert opened(text, edit) == "if x:\n    a()\n    b()  # why\n"

    def test_never_indents_the_inside_of_a_string(self) -> None:
        text = "if x:\n    b()\n"
        assert (
            edited(text, ReplaceStatement(at(text, "b()"), 's = """\nx\n"""\nt'))
            == 'if x:\n    s = """\nx\n"""\n    t\n'
        )
        assert (
            edited(text, ReplaceStatement(at(text, "b()"), 's = f"""\n{x}\n"""')) == 'if x:\n    s = f"""\n{x}\n"""\n'
        )

    def test_keeps_the_further_lines_of_copied_code(self) -> None:
        text = "if x:\n    b()\n"
        assert edited(text, ReplaceStatement(at(text, "b()"), "f(a,\n      c)")) == "if x:\n    f(a,\n      c)\n"
        assert edited(text, ReplaceStatement(at(text, "b()"), "f(\n    a,\n)")) == "if x:\n    f(\n        a,\n    )\n"

    def test_writes_the_newline_of_the_file(self) -> None:
        text = "if x:\r\n    b()\r\n"
        for code in ("c()\nd()", "c()\r\nd()"):
            new = edited(text, ReplaceStatement(at(text, "b()"), code), newline="\r\n")
            assert new == "if x:\r\n    c()\r\n    d()\r\n"


class TestInsertion:
    @pytest.mark.parametrize(
        ("text", "anchor", "before", "expected"),
        [
            ("a\nb\n", "a", False, "a\nnew()\nb\n"),
            ("a\nb\n", "a", True, "new()\na\nb\n"),
            ("a\nb", "b", False, "a\nb\nnew()"),
            ("a  # why\nb\n", "a ", False, "a  # why\nnew()\nb\n"),
            ("if x:\n    b\nc\n", "b", False, "if x:\n    b\n    new()\nc\n"),
            ("if x:\n\tb\nc\n", "b", True, "if x:\n\tnew()\n\tb\nc\n"),
            ("if x:\n    b\n    # end of it\n\n# about c\nc\n", "if x:\n    b", False,
             "if x:\n    b\n    # end of it\nnew()\n\n# about c\nc\n"),
            ("if x:\n    b\n\n    # end of it\nc\n",
             "if x:\n    b", False, "if x:\n    b\n\n    # end of it\nnew()\nc\n"),
            ("s = '''\n'''\nb\n", "s = '''\n'''", False, "s = '''\n'''\nnew()\nb\n"),
            ("\fa\nb\n", "a", False, "\fa\nnew()\nb\n"),
            ("ü = 'é'\nb\n", "ü = 'é'", False, "ü = 'é'\nnew()\nb\n"),
        ],
    )  # fmt: skip
    def test_is_a_line_of_its_own(self, text: str, anchor: str, before: bool, expected: str) -> None:
        span = at(text, anchor)
        span = Span(span.start, span.start + len(anchor.rstrip(" ")))
        assert edited(text, InsertStatement(span, "new()", before)) == expected

    def test_above_the_decorators(self) -> None:
        text = "a\n@d\ndef f():\n    pass\n"
        assert inserted(text, "@d\ndef f():\n    pass", before=True) == "a\nnew()\n@d\ndef f():\n    pass\n"

    def test_with_the_newline_of_the_file(self) -> None:
        assert inserted("a\r\nb", "b", newline="\r\n") == "a\r\nb\r\nnew()"
        assert inserted("a\r\nb\r\n", "a", newline="\r\n") == "a\r\nnew()\r\nb\r\n"

    def test_behind_a_loop_on_one_line(self) -> None:
        assert inserted("for i in x: f(i)\n", "for i in x: f(i)") == "for i in x: f(i)\nnew()\n"


class TestOpening:
    @pytest.mark.parametrize(
        ("text", "piece", "expected"),
        [
            ("a; b\n", "b", "a\nb\n"),
            ("a;\nc\n", "a", "a\nc\n"),
            ("f(\n); b\nc\n", "b", "f(\n)\nb\nc\n"),
            ("if x: b\n", "b", "if x:\n    b\n"),
            ("def f():\n  if x: b\n", "b", "def f():\n  if x:\n    b\n"),
            ("class C:\n\tdef f(self):\n\t\tif x: b\n", "b", "class C:\n\tdef f(self):\n\t\tif x:\n\t\t\tb\n"),
            ("if x: a\nelif y: b\nelse: c\n", "b", "if x: a\nelif y:\n    b\nelse: c\n"),
            ("if x: a\nelif y: b\nelse: c\n", "c", "if x: a\nelif y: b\nelse:\n    c\n"),
            ("try: a\nexcept E: b\nfinally: c\n", "b", "try: a\nexcept E:\n    b\nfinally: c\n"),
            ("try: a\nexcept E: b\nfinally: c\n", "c", "try: a\nexcept E: b\nfinally:\n    c\n"),
            ("match x:\n    case 1: b\n", "b", "match x:\n    case 1:\n        b\n"),
            ("with x: a; b\n", "a", "with x:\n    a\n    b\n"),
            ("for i in x: b\nelse: c\n", "b", "for i in x:\n    b\nelse: c\n"),
            ("if x: b\r\nc\r\n", "b", "if x:\r\n    b\r\nc\r\n"),
            ("class C:\n    x = 1; b = 2\n", "b = 2", "class C:\n    x = 1\n    b = 2\n"),
        ],
    )  # fmt: skip
    def test_puts_statements_on_their_own_lines(self, text: str, piece: str, expected: str) -> None:
        newline = "\r\n" if "\r" in text else "\n"
        module = Module(text)
        (span,) = [
            module.span(node) for node in module.nodes if isinstance(node, ast.stmt) and module.segment(node) == piece
        ]
        assert opened(text, InsertStatement(span, "new()"), newline) == expected

    def test_says_so_where_it_cannot(self) -> None:
        text = "x = 1 \\\n\ny\n"
        with pytest.raises(EditError, match="refuses"):
            edited(text, InsertStatement(at(text, "x = 1"), "new()"))


class TestMove:
    @pytest.mark.parametrize(
        ("text", "piece", "anchor", "before", "expected"),
        [
            ("a\nb\nc\n", "a", "b", False, "b\na\nc\n"),
            ("a\nb\nc\n", "c", "a", True, "c\na\nb\n"),
            ("a\nb\nc", "c", "a", True, "c\na\nb\n"),
            ("a\nb", "a", "b", False, "b\na"),
            ("# about a\na  # A\nb\n", "a  #", "b\n", False, "b\n# about a\na  # A\n"),
            ("if x:\n    # about a\n    a\n    b\n", "a\n    b", "b\n", False, "if x:\n    b\n    # about a\n    a\n"),
            ("x = '''\n  1\n'''\nb\n", "x = '''\n  1\n'''", "b", False, "b\nx = '''\n  1\n'''\n"),
            ("a\nif x:\n    b\n    # of b\nc\n", "a", "if x:\n    b", False, "if x:\n    b\n    # of b\na\nc\n"),
        ],
    )
    def test_takes_the_statement_with_its_comments(
        self, text: str, piece: str, anchor: str, before: bool, expected: str
    ) -> None:
        module = Module(text)

        def span(start: str) -> Span:
            return next(
                module.span(node)
                for node in module.nodes
                if isinstance(node, ast.stmt) and text.find(start, module.span(node).start) == module.span(node).start
            )

        assert edited(text, MoveStatement(span(piece), span(anchor), before)) == expected

    def test_to_another_block_is_refused(self) -> None:
        for text, anchor in (("a\nif x:\n    b\n", "b"), ("if x:\n    a\nelse:\n    b\n", "b")):
            with pytest.raises(EditError, match="another block"):
                moved(text, "a", anchor)

    def test_beside_itself_is_refused(self) -> None:
        with pytest.raises(EditError):
            edited("a\nb\n", MoveStatement(Span(0, 1), Span(0, 1)))

    def test_with_the_newline_of_the_file(self) -> None:
        assert moved("a\r\nb\r\n", "a", "b", newline="\r\n") == "b\r\na\r\n"
        assert moved("a\r\nb", "b", "a", before=True, newline="\r\n") == "b\r\na\r\n"


SINGLE = "a = 'a'\nb = 'b'\nc = 'c'\n"


@pytest.mark.parametrize(
    ("text", "code", "new"),
    [
        (SINGLE, 'f("x")', "f('x')"),
        (SINGLE, 'f("it\'s", "x", """y""", r"z")', 'f("it\'s", \'x\', """y""", r"z")'),
        (SINGLE, 'f("é", "x")', "f('é', 'x')"),
        (SINGLE, 'f(  # "x"\n    "x")', "f(  # \"x\"\n    'x')"),
        ("a = 'a'\nb = 'b'\nc = \"c\"\n", 'f("x")', 'f("x")'),  # as many as not
        (SINGLE * 4 + 'd = "d"\n', 'f("x", "d")', "f('x', \"d\")"),  # what the file has stays as it is there
        ('a = "a"\nb = "b"\n', 'f("x")', 'f("x")'),
    ],
)
def test_new_code_has_the_quotes_of_the_file(text: str, code: str, new: str) -> None:
    text += "call()\n"
    assert edited(text, Replace(at(text, "call()"), code)) == text.replace("call()", new)
    assert edited(text, ReplaceStatement(at(text, "call()"), code)) == text.replace("call()", new)
    assert edited(text, InsertStatement(at(text, "call()"), code)) == f"{text}{new}\n"
