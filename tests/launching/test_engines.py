"""The launch files, each read by the parser of its engine where that is installed, and by a plain one everywhere."""

from __future__ import annotations

import ast
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from xlaport.errors import UserError
from xlaport.launching import ENGINES, Job, slices
from xlaport.launching.job import Start

yaml = pytest.importorskip("yaml")

ARGUMENTS = ("--lr", "0.1", "--name", 'it\'s a "b" # {c}: $d', "*")
JOBS = [
    Job("train.py", ARGUMENTS, start, slices.find(name))
    for start in Start
    for name in ("v5litepod-8", "v4-8", "v6e-16", "v5p-32", "v6e-1")
]
IDS = [f"{job.start.value}-{job.slice.name}" for job in JOBS]
jobs = pytest.mark.parametrize("job", JOBS, ids=IDS)


def words_of(command: str) -> list[str]:
    """The words of a command as bash reads them."""
    told = subprocess.run(
        ["bash", "-c", f'HOST0=first; print() {{ printf "%s\\0" "$@"; }}; print {command}'],
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.split("\0")[:-1]


def expected(job: Job) -> list[str]:
    return ["train.py", *ARGUMENTS]


def script_of(words: list[str]) -> list[str]:
    return words[words.index("train.py") :]


@jobs
def test_the_command_hands_on_the_arguments_as_they_are(job: Job) -> None:
    assert script_of(words_of(job.command)) == expected(job)


@pytest.mark.parametrize(
    ("script", "name"),
    [("a/Train_it.py", "train-it"), ("3d.py", "job-3d"), ("ü.py", "job"), ("x" * 99 + ".py", "x" * 30)],
)
def test_names_suit_each_engine(script: str, name: str) -> None:
    assert Job(script, (), Start.SINGLE, slices.find("v4-8")).name == name


@jobs
def test_docker(job: Job) -> None:
    text = ENGINES["docker"](job)
    command = json.loads(text.rpartition("\nCMD ")[2])
    words = words_of(command[2]) if command[0] == "bash" else command
    assert script_of(words) == expected(job)
    assert "--privileged --net=host" in text


@jobs
def test_skypilot(job: Job) -> None:
    task = yaml.safe_load(ENGINES["skypilot"](job))
    assert script_of(words_of(task["run"].strip())) == expected(job)
    assert task["resources"]["accelerators"] == f"tpu-{job.slice.name}:1"
    assert task["resources"]["accelerator_args"]["runtime_version"] == job.slice.runtime


@pytest.mark.parametrize("name", slices.names())
def test_skypilot_reads_its_task(name: str) -> None:
    sky = pytest.importorskip("sky")
    task = sky.Task.from_yaml_config(
        yaml.safe_load(ENGINES["skypilot"](Job("train.py", (), Start.LAUNCHES, slices.find(name))))
    )
    (resources,) = task.resources
    assert resources.accelerators == {f"tpu-{name}": 1}
    assert task.num_nodes == 1


@jobs
def test_gke(job: Job) -> None:
    service, manifest = yaml.safe_load_all(ENGINES["gke"](job))
    pod = manifest["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert script_of(words_of(container["command"][2])) == expected(job)
    assert container["resources"]["limits"]["google.com/tpu"] * manifest["spec"]["completions"] == job.slice.chips
    assert pod["nodeSelector"]["cloud.google.com/gke-tpu-topology"] == job.slice.topology
    # The pods find each other by the service's name, and it finds them by the job's.
    assert pod["subdomain"] == service["metadata"]["name"]
    assert service["spec"]["selector"] == {"job-name": manifest["metadata"]["name"]}


@pytest.mark.parametrize("name", slices.names())
def test_kubernetes_reads_its_manifests(name: str) -> None:
    kubernetes = pytest.importorskip("kubernetes_validate")
    for document in yaml.safe_load_all(ENGINES["gke"](Job("train.py", ARGUMENTS, Start.LAUNCHES, slices.find(name)))):
        kubernetes.validate(document, kubernetes.latest_version(), strict=True)


def xpk_words(job: Job) -> list[str]:
    """What bash calls xpk with."""
    shown = 'xpk() { printf "%s\\0" xpk "$@"; }\n'
    told = subprocess.run(["bash", "-c", shown + ENGINES["xpk"](job)], capture_output=True, text=True, check=True)
    return told.stdout.split("\0")[:-1]


@jobs
def test_xpk(job: Job) -> None:
    words = xpk_words(job)
    assert words[:3] == ["xpk", "workload", "create"]
    (command,) = [word.removeprefix("--command=") for word in words if word.startswith("--command=")]
    install, _, run = command.partition(" && PJRT_DEVICE=TPU ")
    assert shlex.split(install)[:2] == ["pip", "install"]
    assert script_of(words_of(run)) == expected(job)


@pytest.mark.parametrize("name", sorted({*slices.names()} - {"v5litepod-1", "v5litepod-4"}))
def test_xpk_reads_its_command(name: str) -> None:
    parser: Any = pytest.importorskip("xpk.parser.core")
    import argparse

    top = argparse.ArgumentParser()
    parser.set_parser(top)
    arguments = top.parse_args(xpk_words(Job("train.py", (), Start.LAUNCHES, slices.find(name)))[1:])
    assert arguments.tpu_type == name
    assert arguments.workload == "train"


@jobs
def test_ray(job: Job) -> None:
    tree = ast.parse(ENGINES["ray"](job))
    values = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert values["HOSTS"] * values["CHIPS"] == job.slice.chips
    assert script_of(words_of(values["COMMAND"])) == expected(job)


def test_ray_runs_its_driver(tmp_path: Path) -> None:
    """With one host, which is this one: it offers the chips that it does not have, and runs the script."""
    pytest.importorskip("ray")
    (tmp_path / "train.py").write_text(
        "import os, sys; open('out', 'w').write(os.environ['PJRT_DEVICE'] + sys.argv[1])"
    )
    job = Job("train.py", ("there",), Start.LAUNCHES, slices.find("v4-8"))
    driver = ENGINES["ray"](job).replace("ray.init()", 'ray.init(num_cpus=2, resources={"TPU": 4})')
    (tmp_path / "driver.py").write_text(driver)
    subprocess.run([sys.executable, "driver.py"], cwd=tmp_path, check=True, timeout=300)
    assert (tmp_path / "out").read_text() == "TPUthere"


@pytest.mark.parametrize("engine", ["gke", "xpk"])
def test_what_an_engine_does_not_have(engine: str) -> None:
    with pytest.raises(UserError, match="v3-8"):
        ENGINES[engine](Job("train.py", (), Start.SINGLE, slices.find("v3-8")))


@jobs
def test_notes(job: Job) -> None:
    text = ENGINES["notes"](job)
    (line,) = [line.strip() for line in text.splitlines() if "train.py --lr" in line]
    assert ("--worker=all" in line) is (job.slice.hosts > 1)
    if job.slice.hosts > 1:
        (line,) = shlex.split(line)[-1:]
    assert script_of(words_of(line.partition("PJRT_DEVICE=TPU ")[2])) == expected(job)
    assert all(len(other) <= 120 for other in text.splitlines() if other.strip() != line and "train.py" not in other)
