"""A file whose text has changed: it alone is run again, with what the other files give it."""

from __future__ import annotations

import ast

from tests.analysis.marks import HEAD
from tests.facts.project import path, program
from xlaport.analysis.changed import Changed
from xlaport.analysis.library import role_of
from xlaport.analysis.of_file import analysis_of, values_of
from xlaport.analysis.order import taken
from xlaport.facts.module import Module
from xlaport.facts.program import Facts, Program

HELPER = """
    def move(x):
        return x.cuda()

    def show(x):
        mark(x)

    class Net(nn.Module):
        def forward(self, x):
            mark(x)
            return x
    """
MAIN = """
    import helper
    helper.show(helper.move(torch.zeros(2)))
    helper.Net()(torch.zeros(2))
    """


def project(**sources: str) -> Program:
    return program(**{name: HEAD + "\n".join(line[4:] for line in text.split("\n")) for name, text in sources.items()})


def marked(facts: Facts) -> list[str | None]:
    """The roles of what a file marks."""
    values = values_of(facts)
    calls = [call for call in facts.module.calls if isinstance(call.func, ast.Name) and call.func.id == "mark"]
    roles = [role_of(values[call.args[0]]) for call in calls]
    return [role.value if role is not None else None for role in roles]


def changed(files: Program, name: str, old: str, new: str) -> Facts:
    """A file with another text in the place of some of its own."""
    before = files.facts(path(name))
    assert before is not None
    return files.seen_from(path(name), Module(before.module.text.replace(old, new))).own


def test_what_others_give_it() -> None:
    files = project(helper=HELPER, main=MAIN)
    own = changed(files, "helper", "def show(x):", "def first(y):\n    return y\n\ndef show(x):")
    assert isinstance(analysis_of(own), Changed)
    assert marked(own) == ["tensor", "tensor"]


def test_what_it_does_itself() -> None:
    files = project(helper=HELPER, main=MAIN)
    own = changed(files, "main", "helper.show(", "mark(helper.move(torch.ones(1)))\nhelper.show(")
    assert marked(own) == ["tensor"]


def test_the_project_stays_as_it_was() -> None:
    files = project(helper=HELPER, main=MAIN)
    helper = files.facts(path("helper"))
    assert helper is not None
    assert marked(helper) == ["tensor", "tensor"]
    own = changed(files, "main", "helper.move(torch.zeros(2))", "1")
    assert marked(own) == []
    assert marked(helper) == ["tensor", "tensor"]


def test_the_text_of_the_disk_is_not_run_again() -> None:
    files = project(helper=HELPER, main=MAIN)
    helper, main = files.facts(path("helper")), files.facts(path("main"))
    assert helper is not None
    assert main is not None
    assert analysis_of(helper) is analysis_of(main)


def test_objects_that_others_move() -> None:
    """The call that takes parameters is told at its place in the new text."""
    made = """
    def build():
        model = nn.Linear(1, 1)
        return model, torch.optim.SGD(model.parameters(), 1)
    """
    files = project(made=made, main="    from made import build\n    net, optimizer = build()\n    net.cuda()\n")
    own = changed(files, "made", "    model =", "    print(1)\n    model =")
    analysis = analysis_of(own)
    found = {one.take.node for entrance in analysis.entrances() for one in taken(entrance, analysis) if one.moves}
    assert [ast.unparse(node) for node in found if node in own.module.parents] == [
        "torch.optim.SGD(model.parameters(), 1)"
    ]


def test_a_tree_that_does_not_fit_into_memory() -> None:
    files = project(helper=HELPER, main=MAIN)
    files.most_kept = 10
    helper = files.facts(path("helper"))
    assert helper is not None
    assert marked(helper) == [None, "tensor"]  # a parameter of forward() is one, whoever calls it


def test_where_a_number_changes_that_another_file_hands_back() -> None:
    """The loop is the one that stands there now: what comes back from elsewhere says so, too."""
    frames = """
    def frame(time):
        return int(time * 50)
    """
    cut = """
    from frames import frame
    def cut(waves, end):
        i = 0
        while i < end:
            mark(frame(i))
            i += 30
    """
    files = project(frames=frames, cut=cut)
    own = changed(files, "cut", "def cut", "import os\n\ndef cut")
    (call,) = [node for node in own.module.calls if isinstance(node.func, ast.Name) and node.func.id == "mark"]
    (loop,) = own.module.of_type(ast.While)
    places = {turn.site.line for turn in values_of(own)[call.args[0]].turns}
    assert loop.lineno in places
    assert places <= set(range(loop.lineno, loop.lineno + 3))


WRAPPING = """
    def shown(function):
        def call(x):
            mark(x)
            mark(function(x))
        return call
    """
WRAPPED = """
    import helper

    @helper.shown
    def double(x):
        mark(x)
        return x * 2

    class Net:
        @helper.shown
        def halve(self, x):
            return torch.ones(2).cuda()

    double(torch.zeros(2).cuda())
    """


def wrappers(facts: Facts) -> list[tuple[str, list[str], list[str]]]:
    """The functions of a file that decorators put another one around, and what that is around."""
    analysis = analysis_of(facts)
    functions = [f for f in analysis.functions_in(facts.file) if list(analysis.wrappers(f))]
    around = [(f, wrapper) for f in functions for wrapper in analysis.wrappers(f)]
    return [(f.name, [wrapper.name], [one.name for one in analysis.wrapped(wrapper)]) for f, wrapper in around]


def test_what_decorators_put_around_functions() -> None:
    files = project(main=WRAPPED, helper=WRAPPING)
    both = ["double", "halve"]
    expected = [("double", ["call"], both), ("halve", ["call"], both)]
    main = files.facts(path("main"))
    assert main is not None
    assert wrappers(main) == expected
    assert marked(main) == ["tensor"]
    helper = files.facts(path("helper"))
    assert helper is not None
    assert marked(helper) == [None, "tensor"]
    assert wrappers(changed(files, "main", "def double(x):", "def more():\n    pass\n\n@helper.shown\ndef double(x):"))
    assert wrappers(changed(files, "main", "    mark(x)", "    print(x)\n    mark(x)")) == expected
    own = changed(files, "helper", "mark(x)", "print(x)\n        mark(x)")
    assert marked(own) == [None, "tensor"]
    (call,) = [f for f in analysis_of(own).functions_in(own.file) if f.name == "call"]
    assert [one.name for one in analysis_of(own).wrapped(call)] == both
