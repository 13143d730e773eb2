"""The command line of xpk."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace

from xlaport.errors import UserError
from xlaport.launching.job import GKE_FIRST_HOST, Job

_MISSING = frozenset({"v5litepod-1", "v5litepod-4"})
_HOST = 4

_TEMPLATE = """\
#!/bin/bash
# {script} on a TPU {tpu}, by xpk, which puts this folder into an image and starts it on each host.
# Write the name of your cluster, and --project and --zone unless gcloud knows them. Then:  bash {file}
xpk workload create \\
  --cluster=my-cluster \\
  --workload={name} \\
  --tpu-type={tpu} \\
  --base-docker-image=python:3.11 \\
  --script-dir=. \\
  --command={command}
"""


def text(job: Job) -> str:
    """The script with the command. Raises `UserError` for a TPU that xpk does not have."""
    if job.slice.gke is None or job.slice.name in _MISSING:
        raise UserError(f"xpk has no {job.slice.name}: take v4, v5litepod from 8 on, v5p or v6e")
    # Its machines have four chips at the most, where a TPU VM has eight.
    job = replace(job, slice=replace(job.slice, hosts=max(1, job.slice.chips // _HOST)))
    install = "pip install " + " ".join(json.dumps(name) for name in job.machine.requirements)
    return _TEMPLATE.format(
        script=job.script,
        tpu=job.slice.name,
        name=job.name,
        file=job.file,
        command=shlex.quote(f"{install} && {job.at(GKE_FIRST_HOST)}{job.variables}{job.command}"),
    )
