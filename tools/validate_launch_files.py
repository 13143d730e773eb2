"""Ask the engines themselves whether they take the files that `xlaport launch` writes for them.

    python -m tools.validate_launch_files

SkyPilot, xpk and Ray are too large for the tests, and do not go together: each is asked where it is installed, and for
each other one the command is printed that installs it in an environment of its own and asks it there. SkyPilot reads
the task of every slice, and xpk the command of every slice that it has; its table of slices is compared with ours, too.
Ray has no parser: its drivers are run, on as many nodes as the slice has hosts, which Ray plays here. Exits with 1
where one of them does not take a file. (Kubernetes' manifests are read by the tests.)
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib
import importlib.metadata
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from xlaport.launching import ENGINES, Job, slices
from xlaport.launching.job import Start
from xlaport.targets.known import target

ARGUMENTS = ("--lr", "0.1", "--name", 'it\'s a "b" # {c}: $d', "*")
HOSTS = 4
"""The drivers of larger slices are the same but for a number."""
SECONDS = 300


def jobs() -> Iterator[Job]:
    """A job of each kind on every slice that has a known topology."""
    for name in slices.names():
        for start in Start:
            yield Job("train.py", ARGUMENTS, start, slices.find(name), target().machine)


def skypilot() -> Iterator[str | None]:
    """What is wrong with each task."""
    sky, yaml = importlib.import_module("sky"), importlib.import_module("yaml")
    for job in jobs():
        try:
            task = sky.Task.from_yaml_config(yaml.safe_load(ENGINES["skypilot"](job)))
        except ValueError as error:
            yield f"{job.slice.name}, {job.start.value}: {error}"
            continue
        (resources,) = task.resources
        right = resources.accelerators == {f"tpu-{job.slice.name}": 1} and task.num_nodes == 1
        yield None if right else f"{job.slice.name}, {job.start.value}: read as {resources}"


def xpk() -> Iterator[str | None]:
    """What is wrong with each command, and with each line of our table."""
    parser = argparse.ArgumentParser()
    importlib.import_module("xpk.parser.core").set_parser(parser)
    theirs = importlib.import_module("xpk.core.system_characteristics").UserFacingNameToSystemCharacteristics
    for job in jobs():
        if job.slice.name not in theirs:
            continue
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said):
                read = parser.parse_args(_words(ENGINES["xpk"](job)))
        except SystemExit:
            yield f"{job.slice.name}, {job.start.value}: {said.getvalue().strip()}"
            continue
        right = (read.tpu_type, read.workload) == (job.slice.name, job.name)
        yield None if right else f"{job.slice.name}, {job.start.value}: read as {read}"
    for name in slices.names():
        if name in theirs:
            ours, known = slices.find(name), theirs[name]
            facts = (ours.topology, ours.gke, ours.chips)
            found = (known.topology, known.gke_accelerator, known.vms_per_slice * known.chips_per_vm)
            if facts != found:
                yield f"{name}: {facts} in slices.toml, {found} in xpk"


def _words(script: str) -> list[str]:
    """What bash calls xpk with."""
    shown = 'xpk() { printf "%s\\0" "$@"; }\n' + script
    told = subprocess.run(["bash", "-c", shown], capture_output=True, text=True, check=True)
    return told.stdout.split("\0")[:-1]


def ray() -> Iterator[str | None]:
    """What is wrong with each driver: one for each number of hosts and of chips."""
    cluster = importlib.import_module("ray.cluster_utils").Cluster
    found = [slices.find(name) for name in slices.names()]
    shapes = {(slice_.hosts, slice_.chips_per_host): slice_ for slice_ in found if slice_.hosts <= HOSTS}
    for (hosts, chips), slice_ in shapes.items():
        played = cluster()
        for _ in range(hosts):
            played.add_node(num_cpus=1, resources={"TPU": chips})
        for start in (Start.LAUNCHES, Start.TORCHRUN):
            job = Job("train.py", ARGUMENTS, start, slice_, target().machine)
            yield _driven(dataclasses.replace(job, file="driver.py"), played.address)
        played.shutdown()


def _driven(job: Job, address: str) -> str | None:
    """What a driver does not do on the nodes of an address."""
    with tempfile.TemporaryDirectory() as folder:
        # Instead of torchrun, and of the script, what they were called with is written down.
        told = f'#!/usr/bin/env python3\nimport os, sys\nfile = f"{folder}/told-{{os.getpid()}}"\n'
        told += 'open(file, "w").write("\\0".join(sys.argv[1:]))\n'
        for name in ("train.py", "torchrun"):
            Path(folder, name).write_text(told)
        Path(folder, "torchrun").chmod(0o755)
        Path(folder, job.file).write_text(ENGINES["ray"](job))
        # As `ray job submit --working-dir .` starts it.
        there = {"working_dir": folder, "env_vars": {"PATH": f"{folder}:{os.environ['PATH']}"}}
        submitted = {"RAY_ADDRESS": address, "RAY_JOB_CONFIG_JSON_ENV_VAR": json.dumps({"runtime_env": there})}
        run = subprocess.run(
            [sys.executable, job.file],
            cwd=folder,
            env={**os.environ, **submitted},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        calls = [file.read_text().split("\0") for file in Path(folder).glob("told-*")]
    right = len(calls) == job.slice.hosts and all(call[-len(ARGUMENTS) :] == [*ARGUMENTS] for call in calls)
    return (
        None if run.returncode == 0 and right else f"{job.slice.name}, {job.start.value}: {calls} {run.stderr[-2000:]}"
    )


@dataclasses.dataclass(frozen=True)
class Engine:
    """An engine, and how to ask it."""

    name: str
    """Of its package, too."""
    version: str
    """The one that it was last asked of."""
    ask: Callable[[], Iterator[str | None]]

    @property
    def command(self) -> str:
        """What installs it, and asks it."""
        folder = f"build/engines/{self.name}"
        packages = f"-e . pyyaml {self.name}=={self.version}"
        return (
            f"python3 -m venv {folder} && {folder}/bin/pip install {packages} && "
            f"{folder}/bin/python -m tools.validate_launch_files"
        )


ASKED = (
    Engine("skypilot", "0.14.1", skypilot),
    Engine("xpk", "1.16.0", xpk),
    Engine("ray", "2.60.0", ray),
)


def main() -> None:
    """Ask each engine that is installed."""
    refused = 0
    for engine in ASKED:
        try:
            version = importlib.metadata.version(engine.name)
        except importlib.metadata.PackageNotFoundError:
            print(f"{engine.name}: not installed here. In an environment of its own:\n    {engine.command}")
            continue
        answers = list(engine.ask())
        wrong = [answer for answer in answers if answer is not None]
        print(f"{engine.name} {version}: takes {len(answers) - len(wrong)} of {len(answers)} files")
        for answer in wrong:
            print(f"    {answer}")
        refused += len(wrong)
    raise SystemExit(1 if refused else 0)


if __name__ == "__main__":
    main()
