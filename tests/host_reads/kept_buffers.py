"""What writes into a buffer make `read_if_changed()` read again; as a program, it prints that as JSON."""

from __future__ import annotations

import copy
import io
import json
import sys
from typing import Any

WRITES = {
    "none": "pass",
    "filled": "net.kept.fill_(2)",
    "an element": "net.kept[1] = 3",
    "a view": "net.kept[:1].add_(1)",
    "added": "net.kept += 1",
    "without gradients": "with torch.no_grad(): net.kept.copy_(torch.ones(2))",
    "for inference": "with torch.inference_mode(): net.kept.add_(1)",
    "detached": "net.kept.detach().mul_(3)",
    "another one": "net.kept = torch.full((2,), 7.0, device=net.kept.device)",
    "loaded": "net.load_state_dict({'kept': torch.full((2,), 9.0)})",
    "moved": "net.cpu().to(device)",
    "a copy of all": "net = copy.deepcopy(net)\nnet.kept.add_(1)",
    "saved and loaded": "net = torch.load(saved(net), weights_only=False)\nnet.kept.sub_(1)",
    "a barrier": "torch_xla.sync()",
}
"""Statements, and what they do to a buffer."""


def main() -> None:
    """Print for each statement the number that is read behind it, that of the device, and how often it was read."""
    import torch
    import torch_xla
    from torch_xla.debug import metrics

    from rules._lib.shapes.helpers import helpers

    def saved(net: torch.nn.Module) -> io.BytesIO:
        file = io.BytesIO()
        torch.save(net, file)
        file.seek(0)
        return file

    given: dict[str, Any] = {"torch": torch, "torch_xla": torch_xla, "copy": copy, "saved": saved}
    exec(helpers()["read_if_changed"].replace("{torch}", "torch"), given)
    found: dict[str, dict[str, object]] = {}
    for where in ("cpu", "xla"):
        for name, statement in WRITES.items():
            net = torch.nn.Module()
            net.register_buffer("kept", torch.tensor([1.0, 2.0]))
            given |= {"net": net.to(where), "device": where}
            exec("read_if_changed(net.kept)", given)
            exec(statement, given)
            wanted = given["net"].kept.tolist()
            metrics.clear_all()
            read = [given["read_if_changed"](given["net"].kept).tolist() for _ in range(3)]
            data = metrics.metric_data("TransferFromDeviceTime")
            found[f"{name} on {where}"] = {"wanted": wanted, "read": read, "times": data[0] if data else 0}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
