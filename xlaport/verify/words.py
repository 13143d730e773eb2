"""What the words of a command line are: scripts, a launcher with what it starts, or arguments of the script."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from xlaport.errors import UserError

LAUNCHERS = {
    "torchrun": "torch.distributed.run",
    "accelerate": "accelerate.commands.accelerate_cli",
}
"""Programs that start a script in processes of their own, and the module that each is: the chosen Python runs it."""

_LAUNCHING = frozenset({*LAUNCHERS.values(), "torch.distributed.launch", "accelerate.commands.launch"})
_OF_A_MODULE = frozenset({"-m", "--module"})
_FLAGS = _OF_A_MODULE | frozenset(
    "--standalone --no-python --no_python --run-path --run_path --use-env --use_env".split()
)
"""Those options of torchrun that take no value."""

_BINDING = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass,
)  # fmt: skip


@dataclass(frozen=True)
class Words:
    """What is run: `scripts`, one after the other, each with the same `arguments`. `module`: they are modules, as in
    ``python -m``.
    """

    scripts: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    module: bool = False

    def target(self, script: str) -> Path | str:
        """One of the scripts as a request names it: a path, or a module's name."""
        return script if self.module else Path(script)


def read(
    words: Sequence[str],
    behind: Sequence[str],
    *,
    module: bool = False,
    directory: Path | None = None,
    notebooks: bool = False,
) -> Words:
    """Tell scripts from arguments. `words` stand before a ``--``, or there is none; `behind` stand behind it.

    Words that all end in ``.py`` are scripts; what is behind ``--`` are arguments of each. Where one of the words
    does not, or is a file that runs nothing, such as one of settings, those behind the first are arguments of it.
    Raises `UserError` where one of several scripts is not there, or the first is a notebook, without `notebooks`.
    """
    first, *others = [*words, *behind]
    here = directory or Path.cwd()
    if first.endswith(".ipynb") and not module and not notebooks:
        script = str(PurePath(first).with_suffix(".py"))
        raise UserError(
            f"{first} is a notebook, and verify runs scripts: export it with  jupyter nbconvert --to script {first}  , "
            f"take the lines with get_ipython() out of {script}, which only a kernel has, then  xlaport verify {script}"
        )
    if module:
        return Words((first,), tuple(others), module=True)
    if first in LAUNCHERS and not (here / first).exists():
        return Words((LAUNCHERS[first],), tuple(others), module=True)
    if len(words) < 2 or not all(word.endswith(".py") for word in words):
        return Words((first,), tuple(others))
    for word in words:
        if not (here / word).is_file():
            raise UserError(
                f"{word}: no such file. Several words that end in .py are scripts, run one after the other; "
                f"an argument of {first} stands behind --:  xlaport verify {first} -- {' '.join(words[1:])}"
            )
    if any(_runs_nothing(here / word) for word in words[1:]):
        return Words((first,), tuple(others))
    return Words(tuple(words), tuple(behind))


@dataclass(frozen=True)
class Launched:
    """What a launcher starts: its place among the launcher's words, and that of the ``-m`` before a module."""

    at: int
    flag: int | None = None

    def replaced(self, words: Sequence[str], script: str) -> tuple[str, ...]:
        """The launcher's words, with a script in the place of what they start."""
        return tuple(script if at == self.at else word for at, word in enumerate(words) if at != self.flag)


def launched(module: Path | str, arguments: Sequence[str], directory: Path) -> Launched | None:
    """Which of the arguments a launcher starts; None where `module` is no launcher.

    Raises `UserError` where a launcher starts nothing that is seen.
    """
    if str(module) not in _LAUNCHING:
        return None
    flag = None
    for at, word in enumerate(arguments):
        is_value = at > 0 and _takes_value(arguments[at - 1])
        if word in _OF_A_MODULE:
            flag = at
        elif flag is not None and not word.startswith("-") and not is_value:
            return Launched(at, flag)
        elif flag is None and (word.endswith(".py") or not is_value) and (directory / word).is_file():
            return Launched(at)
    name = next((name for name, run in LAUNCHERS.items() if run == str(module)), f"python -m {module}")
    raise UserError(
        f"{name}: none of its words is a script in {directory}, so the original of --against cannot run in its place; "
        f"name the script by its path from there"
    )


def _takes_value(word: str) -> bool:
    return word.startswith("-") and "=" not in word and word not in _FLAGS


def _runs_nothing(file: Path) -> bool:
    """Whether a file binds names and does nothing else: ``python train.py config/small.py`` gives its settings."""
    try:
        statements = ast.parse(file.read_bytes()).body
    except (SyntaxError, ValueError):
        return False
    return all(
        isinstance(s, _BINDING) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) for s in statements
    )
