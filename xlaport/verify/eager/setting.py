"""What a script needs around it to run on torch_tpu: the launcher's part."""

from __future__ import annotations

from collections.abc import Mapping

from xlaport.errors import UserError
from xlaport.verify.eager import names
from xlaport.verify.interpreter import Interpreter

_THREADS = "16"
"""With few threads the CPU's client waits for itself in a backward pass (measured: more than 200 s)."""


_FLAGS = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
"""In place of the user's: the CPU's compiler aborts at a flag of a TPU's. With these it takes less time, and what it
makes is slower.
"""


def setting(python: str, has: Interpreter, chips: int, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that are added to `environment`; `UserError` where what it takes is not installed."""
    if has.torch_tpu is None or "torch" not in has.modules:
        raise UserError(
            f"torch_tpu cannot be imported by {python}: install {names.WANTED} into an environment of its own "
            "(torch_tpu and torch_xla need different versions of torch), and name its Python with --python"
        )
    added = {"XLAPORT_TARGET": names.PACKAGE}
    if names.FUSING not in environment:
        added[names.BLOCKING] = "1"
    if chips:
        return added
    if has.torch_tpu not in names.KNOWN:
        raise UserError(
            f"{python} has torch_tpu {has.torch_tpu}, and a TPU can be played for {' and '.join(names.KNOWN)} alone: "
            f"install {names.WANTED}, or run this where a TPU is"
        )
    if has.plugin is None:
        raise UserError(
            f"no TPU is here, and {python} lacks what plays one on the CPU: install {names.WANTED.split()[-1]} there"
        )
    return (
        added
        | {"XLAPORT_PLAY_TPU": "1", names.LIBRARY_PATH: has.plugin, "XLA_FLAGS": _FLAGS}
        | dict.fromkeys(names.THREADS, _THREADS)
        | {name: value for name, value in names.GROUP.items() if name not in environment}
    )
