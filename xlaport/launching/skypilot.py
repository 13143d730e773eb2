"""A task for SkyPilot."""

from __future__ import annotations

import json

from xlaport.launching.job import Job

_FIRST_HOST = '"$(echo "$SKYPILOT_NODE_IPS" | head -n 1)"'
"""SkyPilot lists the addresses of all hosts, one a line."""

_TEMPLATE = """\
# {script} on a TPU {tpu}, by SkyPilot:  sky launch -c {name} {file}
# A TPU pod is one node to SkyPilot, and what follows runs on each of its hosts ({hosts}).
name: {name}
num_nodes: 1
resources:
  infra: gcp
  accelerators: tpu-{tpu}:1
  accelerator_args:
    runtime_version: {runtime}
    tpu_vm: true
workdir: .
{variables}setup: |
  pip install {requirements}
run: |
  {command}
"""


def text(job: Job) -> str:
    """The task of a job."""
    variables = "".join(f"  {name}: {value}\n" for name, value in job.machine.environment.items())
    return _TEMPLATE.format(
        script=job.script,
        tpu=job.slice.name,
        name=job.name,
        file=job.file,
        hosts=job.slice.hosts,
        runtime=job.slice.runtime,
        requirements=" ".join(json.dumps(name) for name in job.machine.requirements),
        command=job.at(_FIRST_HOST) + job.command,
        variables=f"envs:\n{variables}" if variables else "",
    )
