"""Compiles a graph for a TPU that is not there: run by `compiler` in a process of its own, by the Python that has jax.

The compiler of TPUs (libtpu) ends its process on some errors, so nothing else is done in this one. What it is asked is
a line of JSON on standard input; what comes of it is in the folder named there: `result.json`, and XLA's own dumps.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

_STATISTICS = ("argument", "output", "alias", "temp", "generated_code")


def main() -> None:
    """Compile what is asked, and write what came of it."""
    asked = json.load(sys.stdin)
    os.environ.update(asked["environment"])
    with open(asked["graph"], "rb") as file:
        module = file.read()
    try:
        result = _compiled(module, asked)
    except Exception as error:  # whatever is said: it is told to the user
        result = {"broken": str(error)}
    path = os.path.join(asked["folder"], "result.json")
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        json.dump(result, file)
    os.replace(f"{path}.part", path)
    sys.stdout.flush()
    os._exit(0)  # the client's own end may hang, and there is nothing to save


def _compiled(module: bytes, asked: dict[str, Any]) -> dict[str, Any]:
    import jaxlib._jax as jaxlib
    import numpy
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax.experimental import topologies
    from jaxlib.mlir import ir

    chips = topologies.get_topology_desc(
        platform="tpu",
        topology_name=asked["topology"],
        chips_per_host_bounds=tuple(asked["host"]),
        chip_config_name=asked["core"],
    ).devices[: asked["replicas"] * asked["partitions"]]
    with mlir.make_ir_context():
        program = ir.Module.parse(jaxlib.mlir.hlo_to_stablehlo(module))
        main = next(item for item in program.body.operations if "sym_name" in item.attributes and _is_main(item, ir))
        _give(main, asked["donors"], ir)
        code = mlir.module_to_bytecode(program)
    options = xla_client.CompileOptions()
    options.num_replicas, options.num_partitions = asked["replicas"], asked["partitions"]
    build = options.executable_build_options
    build.use_spmd_partitioning = asked["partitions"] > 1
    build.allow_spmd_sharding_propagation_to_output = [asked["partitions"] > 1]  # as torch_xla has it
    ids = numpy.array([chip.id for chip in chips]).reshape(asked["replicas"], asked["partitions"])
    options.device_assignment = xla_client.DeviceAssignment.create(ids)
    options.env_option_overrides = [
        ("xla_dump_to", asked["folder"]),
        ("xla_dump_hlo_as_proto", True),
    ]
    begun = time.monotonic()
    try:
        executable = chips[0].client.compile(code, jaxlib.DeviceList(tuple(chips)), options)
    except jaxlib.XlaRuntimeError as error:
        return {"error": str(error)}
    seconds = time.monotonic() - begun
    told = executable.get_compiled_memory_stats()
    sizes = {name: getattr(told, f"{name}_size_in_bytes") for name in _STATISTICS}
    return {"seconds": seconds, "peak": told.peak_memory_in_bytes, "sizes": sizes}


def _is_main(item: Any, ir: Any) -> bool:
    return bool(ir.StringAttr(item.attributes["sym_name"]).value == "main")


def _give(main: Any, donors: list[int], ir: Any) -> None:
    """Let arguments hand their memory on: the way to StableHLO loses that."""
    count = len(main.arguments)
    known = list(ir.ArrayAttr(main.attributes["arg_attrs"])) if "arg_attrs" in main.attributes else None
    given = known or [ir.DictAttr.get({}) for _ in range(count)]
    for place in donors:
        own = {item.name: item.attr for item in ir.DictAttr(given[place])}
        given[place] = ir.DictAttr.get({**own, "jax.buffer_donor": ir.BoolAttr.get(True)})
    main.attributes["arg_attrs"] = ir.ArrayAttr.get(given)


if __name__ == "__main__":
    main()
