"""The launch files: what a shell, YAML and Kubernetes read in them.

What SkyPilot, xpk and Ray say of them: `tools/validate_launch_files.py`.
"""

from __future__ import annotations

import ast
import json
import os
import shlex
import subprocess

import kubernetes_validate
import pytest
import yaml

from xlaport.errors import UserError
from xlaport.launching import ENGINES, Job, slices
from xlaport.launching.job import Start
from xlaport.targets.known import target

ARGUMENTS = ("--lr", "0.1", "--name", 'it\'s a "b" # {c}: $d', "*")
MACHINE = target().machine
JOBS = [
    Job("train.py", ARGUMENTS, start, slices.find(name), target(written).machine)
    for written in ("2.9", "torch_tpu")
    for start in Start
    for name in ("v5litepod-8", "v4-8", "v6e-16", "v5p-32", "v6e-1")
]
IDS = [f"{job.start.value}-{job.slice.name}-{job.machine.requirements[1].partition('~')[0]}" for job in JOBS]
jobs = pytest.mark.parametrize("job", JOBS, ids=IDS)


def called(command: str, **variables: str) -> list[str]:
    """What bash calls the program of a command with; what comes before it is passed over."""
    shown = "".join(f'{name}() {{ printf "%s\\0" {name} "$@"; }}\n' for name in ("torchrun", "accelerate"))
    # What torch_tpu prints for torchrun is asked of python3, in a pipe.
    shown += 'python3() { if [ "$2" = torch.tpu.distributed ]; then echo A=b; else printf "%s\\0" python3 "$@"; fi; }\n'
    told = subprocess.run(
        ["bash", "-c", f"cd() {{ :; }}; pip() {{ :; }}; {shown}{command}"],
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.split("\0")[:-1]


def check(job: Job, words: list[str], first: str = "first") -> None:
    """The script gets its arguments as they are, and the hosts meet at the first one."""
    assert words[words.index("train.py") :] == ["train.py", *ARGUMENTS]
    assert not job.meets or f"--rdzv_endpoint={first}:29500" in words


@jobs
def test_the_command_hands_on_the_arguments_as_they_are(job: Job) -> None:
    check(job, called(job.command, HOST0="first"))


@pytest.mark.parametrize(
    ("script", "name"),
    [("a/Train_it.py", "train-it"), ("3d.py", "job-3d"), ("ü.py", "job"), ("x" * 99 + ".py", "x" * 30)],
)
def test_names_suit_each_engine(script: str, name: str) -> None:
    assert Job(script, (), Start.SINGLE, slices.find("v4-8"), MACHINE).name == name


@jobs
def test_docker(job: Job) -> None:
    text = ENGINES["docker"](job)
    command = json.loads(text.rpartition("\nCMD ")[2])
    check(job, called(command[2], HOST0="first") if command[0] == "bash" else command)
    assert "--privileged --net=host" in text
    assert ("-e HOST0=" in text) is job.meets


@jobs
def test_skypilot(job: Job) -> None:
    task = yaml.safe_load(ENGINES["skypilot"](job))
    check(job, called(task["run"], SKYPILOT_NODE_IPS="first\nsecond\n"))
    assert task["resources"]["accelerators"] == f"tpu-{job.slice.name}:1"
    assert task["resources"]["accelerator_args"]["runtime_version"] == job.slice.runtime


@jobs
def test_gke(job: Job) -> None:
    service, manifest = yaml.safe_load_all(ENGINES["gke"](job))
    pod = manifest["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    check(job, called(container["command"][2], TPU_WORKER_HOSTNAMES="first,second"))
    assert container["resources"]["limits"]["google.com/tpu"] * manifest["spec"]["completions"] == job.slice.chips
    assert pod["nodeSelector"]["cloud.google.com/gke-tpu-topology"] == job.slice.topology
    # The pods find each other by the service's name, and it finds them by the job's.
    assert pod["subdomain"] == service["metadata"]["name"]
    assert service["spec"]["selector"] == {"job-name": manifest["metadata"]["name"]}


@pytest.mark.parametrize("name", slices.names())
def test_kubernetes_reads_its_manifests(name: str) -> None:
    for document in yaml.safe_load_all(
        ENGINES["gke"](Job("train.py", ARGUMENTS, Start.LAUNCHES, slices.find(name), target().machine))
    ):
        kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)


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
    assert command.startswith("pip install ")
    assert ("&& PJRT_DEVICE=TPU " in command) == ("PJRT_DEVICE" in job.machine.environment)
    check(job, called(command, TPU_WORKER_HOSTNAMES="first,second"))


@jobs
def test_ray(job: Job) -> None:
    tree = ast.parse(ENGINES["ray"](job))
    values = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert values["HOSTS"] * values["CHIPS"] == job.slice.chips
    check(job, called(values["COMMAND"], HOST0="first"))
    assert ("HOST0" in ast.unparse(tree).replace(values["COMMAND"], "")) is job.meets


@pytest.mark.parametrize("engine", ["gke", "xpk"])
def test_what_an_engine_does_not_have(engine: str) -> None:
    with pytest.raises(UserError, match="v3-8"):
        ENGINES[engine](Job("train.py", (), Start.SINGLE, slices.find("v3-8"), MACHINE))


@jobs
def test_notes(job: Job) -> None:
    text = ENGINES["notes"](job)
    (line,) = [line.strip() for line in text.splitlines() if "train.py --lr" in line]
    assert ("--worker=all" in line) is (job.slice.hosts > 1)
    check(job, called(shlex.split(line)[-1] if job.slice.hosts > 1 else line), "ADDRESS")
    assert all(len(other) <= 120 for other in text.splitlines() if "gcloud " not in other and "train.py" not in other)


def test_a_file_says_its_name() -> None:
    for engine in ENGINES:
        text = ENGINES[engine](Job("train.py", (), Start.SINGLE, slices.find("v4-8"), MACHINE, "to/job.txt"))
        assert ("to/job.txt" in text) is (engine != "notes")
