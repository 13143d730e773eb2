"""Where new imports go, and which old ones an edit made idle."""

from __future__ import annotations

import pytest

from xlaport import imports
from xlaport.facts.module import Module
from xlaport.facts.names import Names
from xlaport.rule import Import
from xlaport.splices import apply

ROOT = Import("torch_xla", "torch_xla")
XM = Import("torch_xla.core.xla_model", "xm")


def added(text: str, *wanted: Import, newline: str = "\n") -> str:
    new = apply(text, imports.additions(Module(text), wanted or (ROOT,), newline, "torch"))
    Module(new)
    return new


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\nx\n", "import torch\nimport torch_xla\nx\n"),
        ("import torch\nimport os\n", "import torch\nimport torch_xla\nimport os\n"),
        ("import torch as t\nimport os\n", "import torch as t\nimport torch_xla\nimport os\n"),
        ("import os\nfrom torch import nn\nimport sys\n",
         "import os\nfrom torch import nn\nimport torch_xla\nimport sys\n"),
        ("import torch.nn as nn\nimport os\n", "import torch.nn as nn\nimport torch_xla\nimport os\n"),
        ("import os\nx\n", "import os\nimport torch_xla\nx\n"),
        ("import os\nx\nimport torch\n", "import os\nx\nimport torch\nimport torch_xla\n"),
        ("from torch import (\n    nn,\n)\nx\n", "from torch import (\n    nn,\n)\nimport torch_xla\nx\n"),
        ("import torch  # why\nx\n", "import torch  # why\nimport torch_xla\nx\n"),
        ("import torch", "import torch\nimport torch_xla"),
        ("import torch\nimport torch.nn as nn\nimport torch.utils.data\nfrom torch import x\n",
         "import torch\nimport torch.nn as nn\nimport torch.utils.data\nimport torch_xla\nfrom torch import x\n"),
        ("import torch\n\nimport torch.nn\n", "import torch\nimport torch_xla\n\nimport torch.nn\n"),
    ],
)  # fmt: skip
def test_new_imports_follow_torch_or_the_first_imports(text: str, expected: str) -> None:
    assert added(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"""Doc."""\nx\n', '"""Doc."""\n\nimport torch_xla\nx\n'),
        ('"""Doc."""\nimport os\nx\n', '"""Doc."""\nimport os\nimport torch_xla\nx\n'),
        ("from __future__ import annotations\nx\n", "from __future__ import annotations\nimport torch_xla\nx\n"),
        ("#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nx\n",
         "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nimport torch_xla\n\nx\n"),
        ("def f():\n    import torch\n", "import torch_xla\n\ndef f():\n    import torch\n"),
        ("try:\n    import torch\nexcept E:\n    pass\n",
         "import torch_xla\n\ntry:\n    import torch\nexcept E:\n    pass\n"),
        ("import os\nif TYPE_CHECKING:\n    import torch\n",
         "import os\nimport torch_xla\nif TYPE_CHECKING:\n    import torch\n"),
        ("@d\ndef f(): pass\n", "import torch_xla\n\n@d\ndef f(): pass\n"),
        ("import torch; torch.f()\n", "import torch_xla\n\nimport torch; torch.f()\n"),
        ("import os; import torch\nx\n", "import os; import torch\nimport torch_xla\nx\n"),
        ("# only a comment", "# only a comment\nimport torch_xla"),
        ("", "import torch_xla\n"),
    ],
)  # fmt: skip
def test_new_imports_stay_at_the_top_level_and_below_the_head(text: str, expected: str) -> None:
    assert added(text) == expected


def test_what_is_imported_already_is_not_imported_again() -> None:
    assert added("import torch_xla\n") == "import torch_xla\n"
    assert added("import torch_xla.core.xla_model as xm\n", XM) == "import torch_xla.core.xla_model as xm\n"
    assert added("import torch\n", ROOT, ROOT) == "import torch\nimport torch_xla\n"
    assert added("import torch_xla as x\n").count("import") == 2


def test_several_are_sorted_and_have_the_newline_of_the_file() -> None:
    new = added("import torch\r\n", XM, ROOT, newline="\r\n")
    assert new == "import torch\r\nimport torch_xla\r\nimport torch_xla.core.xla_model as xm\r\n"


def test_those_of_a_later_round_stand_in_their_order() -> None:
    one, two = "import torch_xla\n", "import torch_xla.core.xla_model as xm\n"
    assert added(f"import torch\n{one}x\n", XM) == f"import torch\n{one}{two}x\n"
    assert added(f"import torch\n{two}x\n", ROOT) == f"import torch\n{one}{two}x\n"
    last = Import("torch_xla.z", "z")
    assert added(f"import torch\n{two}x\n", ROOT, last) == f"import torch\n{one}{two}import torch_xla.z as z\nx\n"


def without(text: str, *idle: str) -> str:
    module = Module(text)
    new = apply(text, imports.removals(module, Names(module), set(idle), "\n"))
    Module(new)
    return new


@pytest.mark.parametrize(
    "text",
    [
        "import amp\namp.f()\n",
        "import amp\ndef f(): amp.f()\n",
        "import amp\n__all__ = ['amp']\n",
        "import amp\n__all__ = []\n__all__ += ['amp']\n",
        "import amp\n__all__ = []\n__all__.append('amp')\n",
        "import amp\n__all__: list = ['amp']\n",
        "import amp\ndef f(x: 'amp.T'): pass\n",
        "import amp\ndef f() -> 'list[amp.T]': pass\n",
        "import amp\nx: 'amp.T' = 1\n",
        "import amp\nx = cast('amp.T', y)\n",
        "try:\n    import amp\nexcept E:\n    pass\n",
        "if x:\n    import amp\n",
        "def f():\n    import amp\n",
        "import amp\ndel amp.x\n",
        "import other\n",
    ],
)
def test_imports_that_may_be_needed_stay(text: str) -> None:
    assert without(text, "amp") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os\nimport amp\nx\n", "import os\nx\n"),
        ("from torch.cuda import amp\nx\n", "x\n"),
        ("from torch.cuda import other as amp\nx\n", "x\n"),
        ("from torch import nn, amp\nx\n", "from torch import nn\nx\n"),
        ("from torch import (\n    nn,  # layers\n    amp,  # precision\n)\n",
         "from torch import (\n    nn,  # layers\n)\n"),
        ("import amp\ndef f(amp): amp\n", "def f(amp): amp\n"),
        ("import amp\n", ""),
        ("import amp; x\n", "import amp; x\n"),
    ],
)  # fmt: skip
def test_idle_imports_go(text: str, expected: str) -> None:
    assert without(text, "amp") == expected


def after_edit(text: str, old: str, new: str) -> str:
    """The text with `old` rewritten, and without the imports that this made idle."""
    before, edited = Module(text), Module(text.replace(old, new))
    used = imports.used_imports(before, Names(before))
    return apply(edited.text, imports.removals(edited, Names(edited), used, "\n"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f():\n    import amp\n    amp.g()\n", "def f():\n    x()\n"),
        ("class C:\n    def f(self):\n        import amp\n        return amp.g()\n",
         "class C:\n    def f(self):\n        return x()\n"),
        ("def f():\n    import amp\n\n    import zlib\n\n    amp.g()\n", "def f():\n    import zlib\n\n    x()\n"),
        # Used in a function inside; used elsewhere, too; imported in a block; one of two namesakes; never used.
        ("def f():\n    import amp\n    def h(): return amp.g()\n    amp.h()\n",
         "def f():\n    import amp\n    def h(): return x()\n    amp.h()\n"),
        ("def f():\n    if y:\n        import amp\n        amp.g()\n",
         "def f():\n    if y:\n        import amp\n        x()\n"),
        ("def f():\n    import amp\n    amp.g()\ndef f():\n    pass\n",
         "def f():\n    x()\ndef f():\n    pass\n"),
        ("def f():\n    import amp\n    amp.g()\ndef f():\n    import amp\n",
         "def f():\n    import amp\n    x()\ndef f():\n    import amp\n"),
        ("def f():\n    import amp\n    import other\n    amp.g()\n", "def f():\n    import other\n    x()\n"),
        ("def f():\n    global amp\n    import amp\n    amp.g()\n",
         "def f():\n    global amp\n    import amp\n    x()\n"),
    ],
)  # fmt: skip
def test_idle_imports_of_functions_go(text: str, expected: str) -> None:
    assert after_edit(text, "amp.g()", "x()") == expected


def test_a_function_is_never_left_without_a_statement() -> None:
    text = "def f():\n    import amp\n    import amp\n    amp.g()\n"
    assert after_edit(text, "    amp.g()\n", "") == "def f():\n    import amp\n"


def test_the_first_import_of_a_package_stands_beside_its_others() -> None:
    text = "import os\nimport torch_xla.core.xla_model as xm\nimport zlib\nxm\n"
    assert added(text) == "import os\nimport torch_xla.core.xla_model as xm\nimport torch_xla\nimport zlib\nxm\n"
