"""A driver for Ray, which runs the script once on each host of a slice."""

from __future__ import annotations

from xlaport.launching.job import FIRST_HOST, Job

_TEMPLATE = '''\
"""Runs {script} on each host of a TPU {tpu}, by Ray: ray job submit --working-dir . -- python3 {file}

The cluster has one such slice, whose hosts offer their chips as Ray's resource TPU, as KubeRay's do on GKE, and has
{needed} installed.
"""

import os
import subprocess

import ray
from ray.util.placement_group import placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

HOSTS = {hosts}
CHIPS = {chips}  # of each host
COMMAND = {command!r}


{address}@ray.remote
def run(variables):
    return subprocess.run(["bash", "-c", COMMAND], env={{**os.environ, {own}**variables}}).returncode


def main():
    ray.init()
    group = placement_group([{{"CPU": 1, "TPU": CHIPS}}] * HOSTS, strategy="STRICT_SPREAD")
    ray.get(group.ready())
    places = [PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=index) for index in range(HOSTS)]
    variables = {variables}
    hosts = [
        run.options(num_cpus=1, resources={{"TPU": CHIPS}}, scheduling_strategy=place).remote(variables)
        for place in places
    ]
    codes = ray.get(hosts)
    if any(codes):
        raise SystemExit(f"exit codes of the hosts: {{codes}}")


if __name__ == "__main__":
    main()
'''

_ADDRESS = """\
@ray.remote
def address():
    return ray.util.get_node_ip_address()


"""
_VARIABLES = f'{{"{FIRST_HOST}": ray.get(address.options(num_cpus=1, scheduling_strategy=places[0]).remote())}}'


def text(job: Job) -> str:
    """The driver of a job."""
    slice_ = job.slice
    return _TEMPLATE.format(
        script=job.script,
        tpu=slice_.name,
        file=job.file,
        hosts=slice_.hosts,
        chips=slice_.chips_per_host,
        needed=job.machine.requirements[-1].partition("~")[0],
        own="".join(f'"{name}": "{value}", ' for name, value in job.machine.environment.items()),
        command=job.command,
        address=_ADDRESS if job.meets else "",
        variables=_VARIABLES if job.meets else "{}",
    )
