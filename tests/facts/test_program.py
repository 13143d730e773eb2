"""Programs: what a name of one file means that comes from another."""

from __future__ import annotations

import ast

import pytest

from xlaport.facts.packages import outline

from .project import path, program, program_that_keeps


def resolved(main: str, **sources: str) -> str | None:
    """What the argument of ``mark(…)`` in the file `main` resolves to."""
    files = program(main=main, **sources)
    facts = files.facts(path("main"))
    assert facts is not None
    for call in facts.module.calls:
        if isinstance(call.func, ast.Name) and call.func.id == "mark":
            return facts.names.resolve(call.args[0])
    raise AssertionError("no mark(…)")


COMPAT = "from torch.cuda.amp import autocast"


@pytest.mark.parametrize(
    ("main", "sources"),
    [
        ("from compat import autocast\nmark(autocast)", {"compat": COMPAT}),
        ("from compat import autocast as a\nmark(a)", {"compat": COMPAT}),
        ("import compat\nmark(compat.autocast)", {"compat": COMPAT}),
        ("import compat as c\nb = c\nmark(b.autocast)", {"compat": COMPAT}),
        ("from compat import *\nmark(autocast)", {"compat": COMPAT}),
        ("def f():\n    from compat import autocast\n    mark(autocast)", {"compat": COMPAT}),
        ("from compat import ac\nmark(ac)", {"compat": "import torch\nac = torch.cuda.amp.autocast"}),
        ("from compat import ac\nmark(ac)", {"compat": "import torch\nac: type = torch.cuda.amp.autocast  # new"}),
        ("from compat import c\nmark(c.amp.autocast)", {"compat": "import torch\nc = torch.cuda"}),
        ("from compat import torch\nmark(torch.cuda.amp.autocast)", {"compat": "import torch.cuda.amp"}),
        ("from pkg import autocast\nmark(autocast)", {"pkg__": "from .compat import autocast", "pkg__compat": COMPAT}),
        ("import pkg.compat\nmark(pkg.compat.autocast)", {"pkg__": "", "pkg__compat": COMPAT}),
        ("import pkg\nmark(pkg.autocast)", {"pkg__": "from .compat import *", "pkg__compat": COMPAT}),
        ("import pkg\nmark(pkg.compat.autocast)", {"pkg__": "from . import compat", "pkg__compat": COMPAT}),
        ("from pkg import *\nmark(torch.cuda.amp.autocast)",
         {"pkg__": "from pkg.torch import *", "pkg__torch": "import torch"}),
        ("from pkg import torch as t\nmark(t.cuda.amp.autocast)",
         {"pkg__": "from .torch import *", "pkg__torch": "import torch"}),
        ("from pkg.torch import autocast\nmark(autocast)", {"pkg__": "from .torch import *", "pkg__torch": COMPAT}),
        ("from pkg import autocast\nmark(autocast)",
         {"pkg__": "from .autocast import autocast", "pkg__autocast": COMPAT}),
        ("import pkg\nmark(pkg.torch.autocast)", {"pkg__": "from . import torch", "pkg__torch": COMPAT}),
        ("from folder.compat import autocast\nmark(autocast)", {"folder__compat": COMPAT}),
        ("from a import autocast\nmark(autocast)", {"a": "from b import *", "b": "from c import *", "c": COMPAT}),
        ("from folder.folder import autocast\nmark(autocast)",
         {"folder__folder": "from folder.compat import autocast", "folder__compat": COMPAT}),
        ("from src_lib import autocast\nmark(autocast)", {"src__src_lib__": COMPAT}),
        *[
            (f"import os, sys, site\nfrom pathlib import Path\n{added}\nfrom ac import autocast\nmark(autocast)",
             {"lib__ac": COMPAT})
            for added in (
                "sys.path.insert(0, 'lib')",
                "sys.path.append('./lib/')",
                "sys.path.append(os.path.join(os.path.dirname(__file__), 'lib'))",
                "here = os.path.dirname(__file__)\nsys.path.append(os.path.join(here, 'a', '..', 'lib'))",
                "sys.path.append(os.path.dirname(os.path.abspath(__file__)) + '/lib')",
                "root = Path(__file__).resolve().parent\nsys.path.insert(0, str(root / 'lib'))",
                "site.addsitedir(os.path.join(os.getcwd(), 'lib'))",
                "def add(path):\n    if path not in sys.path:\n        sys.path.insert(0, path)\nadd('lib')",
            )
        ],
        ("import paths\nfrom ac import autocast\nmark(autocast)",
         {"paths": "import sys\nsys.path.insert(0, 'lib')", "lib__ac": COMPAT}),
        (
            "from compat import autocast\nmark(autocast)",
            {"compat": "try:\n    from torch.cuda.amp import autocast\nexcept E:\n    from old import autocast",
             "old": "import torch.cuda.amp as amp\nautocast = amp.autocast"},
        ),
        (
            "from compat import (  # both\n    grad_scaler,\n    autocast,\n)\nmark(autocast)",
            {"compat": "from torch.cuda.amp import (\n    GradScaler as grad_scaler,  # one\n    autocast,\n)"},
        ),
        (
            "try:\n    from one import autocast\nexcept ImportError:\n    from two import autocast\nmark(autocast)",
            {"one": COMPAT, "two": COMPAT},
        ),
        (
            "from compat import autocast\nmark(autocast)",
            {"compat": f"try:\n    {COMPAT}\nexcept ImportError:\n    autocast = None"},
        ),
        (
            "from compat import autocast\nmark(autocast)",
            {"compat": f"try:\n    {COMPAT}\nexcept ImportError:\n    from apex.amp import autocast"},
        ),
    ],
)  # fmt: skip
def test_names_are_followed_through_the_files_of_a_project(main: str, sources: dict[str, str]) -> None:
    assert resolved(main, **sources) == "torch.cuda.amp.autocast"


@pytest.mark.parametrize(
    ("main", "sources"),
    [
        ("import sys\nsys.path.append('other')\nfrom ac import autocast\nmark(autocast)", {"lib__ac": COMPAT}),
        ("import sys\nsys.path.append(sys.argv[1])\nfrom ac import autocast\nmark(autocast)", {"lib__ac": COMPAT}),
        ("from ac import autocast\nmark(autocast)",
         {"one__tool": "import sys\nsys.path.append('lib')", "one__lib__ac": COMPAT}),
        ("from compat import autocast\nmark(autocast)", {"compat": "def autocast(): pass"}),
        ("from compat import autocast\nmark(autocast)", {"compat": f"{COMPAT}\ndef autocast(): pass"}),
        ("from compat import autocast\nmark(autocast)", {"compat": f"{COMPAT}\nautocast = wrap(autocast)"}),
        (
            "from compat import autocast\nmark(autocast)",
            {"compat": f"try:\n    import apex\n    {COMPAT}\nexcept ImportError:\n    from apex.amp import autocast"},
        ),
        ("from compat import autocast\nmark(autocast)", {"compat": f"def f():\n    {COMPAT}"}),
        ("from compat import autocast\nmark(autocast)", {"compat": f"class C:\n    {COMPAT}"}),
        ("from compat import autocast\nmark(autocast)", {"compat": f"'''\n{COMPAT}\n'''"}),
        ("from compat import autocast\nmark(autocast)", {"compat": "this is no Python: from torch import"}),
        ("from .compat import autocast\nmark(autocast)", {"other": COMPAT}),
        ("from compat import *\nmark(_autocast)", {"compat": "from torch.cuda.amp import autocast as _autocast"}),
        ("from compat import *\nfrom apex import autocast\nmark(autocast)", {"compat": COMPAT}),
        ("def f(autocast):\n    mark(autocast)\nfrom compat import autocast", {"compat": COMPAT}),
        ("from a import autocast\nmark(autocast)", {"a": "from b import autocast", "b": "from a import autocast"}),
        ("from a import autocast\nmark(autocast)", {"a": "from b import *", "b": "from a import *"}),
        ("from main import autocast\nmark(autocast)", {}),
        ("import a\nmark(a.b.c.autocast)", {"a": "import a.b as b", "a__b": ""}),
        ("mark(compat.autocast)", {"compat": COMPAT}),
    ],
)  # fmt: skip
def test_a_name_that_is_not_torch_s(main: str, sources: dict[str, str]) -> None:
    assert not (resolved(main, **sources) or "").startswith("torch")


def test_a_name_of_python_s_is_hidden_by_a_star_from_near_by() -> None:
    assert resolved("from a import *\nmark(max)", a="from torch import max") == "torch.max"
    assert resolved("from a import *\nmark(max)", a="def min(): pass") == "builtins.max"
    # From further away it takes the files of a whole package to say so: transformers/__init__.py has 400 below it.
    assert resolved("from a import *\nmark(max)", a="from b import *", b="from torch import max") == "builtins.max"


def test_no_file_is_parsed_to_see_what_set_and_name_are() -> None:
    stars = {f"m{n}": f"from m{n + 1} import *\nx = __name__, set()" for n in range(5)}
    files = program(main="from m0 import *\nprint(__name__, set(), dir())", m5="def set(): return __name__", **stars)
    facts = files.facts(path("main"))
    assert facts is not None
    for name in facts.module.of_type(ast.Name):
        assert facts.names.resolve(name) == f"builtins.{name.id}"
    assert files.parsed == 1


def test_a_folder_called_torch_is_not_torch() -> None:
    assert resolved("import torch\nmark(torch.cuda)", torch__="cuda = 1") == "torch.cuda"


def test_what_is_not_of_the_project_keeps_its_name() -> None:
    assert resolved("from timm.utils import x\nmark(x.y)") == "timm.utils.x.y"


def test_a_definition_of_the_project_is_called_by_its_module() -> None:
    assert (
        resolved("from pkg.a import f\nmark(f)", pkg__="", pkg__a="from .b import f", pkg__b="def f(): pass")
        == "pkg.b.f"
    )


def test_relative_imports_are_followed() -> None:
    files = program(
        pkg__="", pkg__a="from ..pkg.b import cuda", pkg__b="from torch import cuda", pkg__sub__c="from ..b import cuda"
    )
    for name in ("pkg__a", "pkg__sub__c"):
        facts = files.facts(path(name))
        assert facts is not None
        spelled = facts.names.spelled_at_top("cuda")
        assert [files.lead(path(name), s) for s in spelled] == ["torch.cuda"]


def test_files_are_parsed_when_they_are_needed() -> None:
    files = program(main="from a import f\nf()", a="def f(): pass", b="import torch")
    facts = files.facts(path("main"))
    assert facts is not None
    assert [facts.names.resolve(call.func) for call in facts.module.calls] == ["a.f"]
    assert files.parsed == 1


def test_a_file_that_does_not_fit_any_more_is_parsed_again() -> None:
    sources = {"main": "from a import f\nf()", "a": "from torch.cuda import synchronize as f", "b": "import torch"}
    for kept, parsed, dropped in ((1000, 3, 0), (1, 4, 3)):
        files = program_that_keeps(kept, **sources)
        assert files.facts(path("main"))
        assert files.facts(path("b"))
        facts = files.facts(path("main"))
        assert facts is not None
        assert [facts.names.resolve(call.func) for call in facts.module.calls] == ["torch.cuda.synchronize"]
        assert (files.parsed, files.dropped) == (parsed, dropped), kept


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("x.shape[0]", ["shape"]),
        ("x .shape", ["shape"]),
        ("x. \\\n  shape", ["shape"]),
        ("x, shape", []),
        ("shapes.x", ["x"]),
        ("# see x.größe", ["größe"]),
        ("'a.b2'", ["b2"]),
        ("3.e5", ["e5"]),
    ],
)
def test_attributes_in_a_text(text: str, attributes: list[str]) -> None:
    files = program(main=text)
    for name in ("x", "shape", "shapes", "see", "größe", "a", "b2", "b", "e5", ""):
        assert files.says_attribute(path("main"), name) is (name in attributes), name


def test_outline() -> None:
    found = outline(
        b"import a.b, c as d\nfrom .e import (f as g,  # why\n  h)\nfrom . import i\n"
        b"from j import *\nk = l.m\nn = o()\n"
    )
    assert found.imports == (
        ("a.b", "a"), ("c", "d"), (".e.f", "g"), (".e.h", "h"), (".i", "i"), ("j.*", "*")
    )  # fmt: skip
    assert found.bound == {"a", "d", "g", "h", "i", "*", "k"}


LIB = "from torch.cuda.amp import autocast\nfrom torch import nn\n"


@pytest.mark.parametrize(
    ("names", "is_given"),
    [
        ("__all__ = ['autocast']", True),
        ('__all__ = (\n    "autocast",  # for "x"\n    \'nn\',\n)', True),
        ("__all__ = ['nn']", False),
        ("__all__ = ['nn', 'x_autocast']", False),
        ("__all__ = []", False),
        ("__all__ = ['nn']\n__all__ += ['autocast']", True),  # of what is computed, nothing is known
        ("__all__ = ['nn'] + more", True),
        ("if True:\n    __all__ = ['nn']", True),
    ],
)
def test_a_star_brings_what_the_module_lists(names: str, is_given: bool) -> None:
    files = program(lib=LIB + names, main="from lib import *\nmark(autocast)")
    facts = files.facts(path("main"))
    assert facts is not None
    call = next(node for node in ast.walk(facts.module.tree) if isinstance(node, ast.Call))
    assert facts.names.resolve(call.args[0]) == ("torch.cuda.amp.autocast" if is_given else None)


def test_a_module_has_what_it_does_not_list() -> None:
    files = program(lib=LIB + "__all__ = ['nn']", main="from lib import autocast\nimport lib\nmark(lib.autocast)")
    facts = files.facts(path("main"))
    assert facts is not None
    call = next(node for node in ast.walk(facts.module.tree) if isinstance(node, ast.Call))
    assert facts.names.resolve(call.args[0]) == "torch.cuda.amp.autocast"


def test_names_that_other_files_get_from_a_file() -> None:
    files = program(
        lib="from torch import nn, cuda\nimport torch.cuda.amp as amp\nimport torch",
        one="from lib import nn",
        two="import lib as utils\nutils.amp.autocast()",
        three="from torch import cuda\nimport lib\ncuda.synchronize()",
    )
    assert files.used_elsewhere(path("lib"), ["nn", "cuda", "amp", "torch"]) == {"nn", "amp"}
