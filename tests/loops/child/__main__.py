"""Runs programs, each in a forked process of its own, and writes down what they did.

    python -m tests.loops.child host|xla jobs.json

Importing torch and torch_xla takes seconds, a fork none; and what one program compiles, another does not find. The
jobs are a list of objects: the `folder` of a program, which has a `main.py`, and the file `out` for its observation.
"""

from __future__ import annotations

import functools
import importlib.util
import io
import json
import os
import signal
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

_LIMIT = 60
"""Seconds for one program, on a busy machine: they take one."""


class _Output(io.StringIO):
    """What the program writes, and when."""

    on_write: Any = None

    def write(self, text: str) -> int:
        if self.on_write is not None:
            self.on_write()
        return super().write(text)


def main() -> None:
    """Run all jobs, one after the other."""
    mode, jobs = sys.argv[1:]
    import torch

    if mode == "xla":
        import torch_xla  # noqa: F401 - here, once, for all that are forked
    torch.set_num_threads(1)
    _warm_up()
    for job in json.loads(Path(jobs).read_text(encoding="utf-8")):
        process = os.fork()
        if process == 0:
            _run(mode, job)
        _, status = os.waitpid(process, 0)
        if status != 0:
            Path(job["out"]).write_text(json.dumps({"error": f"died with status {status}"}), encoding="utf-8")


def _warm_up() -> None:
    """An optimizer's first step imports a second's worth of torch: let it be done before the forks.

    No `backward()` here: its engine would not know the devices of the forked processes.
    """
    import torch

    weight = torch.nn.Parameter(torch.zeros(1))
    weight.grad = torch.zeros(1)
    torch.optim.Adam([weight]).step()


def _run(mode: str, job: dict[str, str]) -> None:
    """Run one program, and end this process."""
    signal.alarm(_LIMIT)
    warnings.simplefilter("ignore")
    try:
        result = _observe(mode, job["folder"])
    except BaseException:
        result = {"error": traceback.format_exc()}
    Path(job["out"]).write_text(json.dumps(result), encoding="utf-8")
    os._exit(0)


def _observe(mode: str, folder: str) -> dict[str, Any]:
    from .describing import Description

    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.argv = ["main.py"]
    losses = _recorded_losses()
    sys.stdout = output = _Output()
    counting = None
    if mode == "xla":
        from .counting import Counting

        counting = Counting()
        output.on_write = functools.partial(setattr, counting, "wrote", True)
    else:
        from .on_the_host import stay_on_the_host

        stay_on_the_host()
    values = _values(Path(folder))
    counts = counting.finish() if counting else None
    description = Description(folder)
    for name, value in values.items():
        description.add(name, value)
    return {"printed": output.getvalue(), "counts": counts, "losses": _described(losses), **description.data()}


def _values(folder: Path) -> dict[str, Any]:
    """What `main()` returns; for a program without it, what it leaves behind in its module."""
    spec = importlib.util.spec_from_file_location("program", folder / "main.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["program"] = module
    spec.loader.exec_module(module)
    if hasattr(module, "main"):
        returned: dict[str, Any] = module.main()
        return returned
    # A number that is left over in a global says nothing: what there was to say of it has been printed.
    left = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return {name: value for name, value in left.items() if not isinstance(value, int | float)}


def _recorded_losses() -> list[Any]:
    """Every tensor that `backward()` is called of: the losses, whatever the program itself makes of them."""
    import torch

    losses: list[Any] = []
    original = torch.Tensor.backward

    @functools.wraps(original)
    def backward(self: Any, *args: Any, **kwargs: Any) -> None:
        losses.append(self.detach())
        original(self, *args, **kwargs)

    torch.Tensor.backward = backward
    return losses


def _described(losses: list[Any]) -> list[dict[str, Any]]:
    from .describing import tensor

    return [tensor(loss) for loss in losses]


if __name__ == "__main__":
    main()
