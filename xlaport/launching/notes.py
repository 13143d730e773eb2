"""What to run where, in words: one host, a pod of several, and what to know of it."""

from __future__ import annotations

import textwrap

from xlaport.launching.job import Job, Start

_STARTS = {
    Start.LAUNCHES: "{script} starts a process for each chip itself (torch_xla.launch): no torchrun is needed.",
    Start.SPAWNS: "{script} starts its processes itself (torch.multiprocessing): no torchrun is needed.",
    Start.TORCHRUN: "{script} joins a process group and starts no processes: torchrun starts one for each chip.",
    Start.SPMD: "{script} uses SPMD: one process on each host has all its chips, and no launcher is needed.",
    Start.LIGHTNING: "Lightning starts a process for each chip itself: no torchrun is needed.",
    Start.ACCELERATE: (
        "accelerate's launcher calls main() of {script} in a process for each chip: write the name of\n"
        "the function that trains, if it is another."
    ),
    Start.SINGLE: "{script} is one process, and uses one chip.",
}

_INDENT = " " * 13
_CHECK = (
    "xlaport doctor says whether the machine has what it takes; {verify} runs a few steps and says whether it stays "
    "compiled."
)

_NOTES = """\
Good to know
    Batches  {batches}
    Chips    TPU_VISIBLE_CHIPS=0 TPU_PROCESS_BOUNDS=1,1,1 TPU_CHIPS_PER_PROCESS_BOUNDS=1,1,1 before the command: one
             process on one chip, for a first try.
    Cache    {cache}
    Check    {check}
"""


def text(job: Job) -> str:
    """The notes for a job."""
    slice_ = job.slice
    hosts = "one host" if slice_.hosts == 1 else f"{slice_.hosts} hosts of {slice_.chips_per_host}"
    chips = "1 chip" if slice_.chips == 1 else f"{slice_.chips} chips"
    parts = [
        f"{job.script} on a TPU {slice_.name}: {chips}, {hosts}\n{_starts(job)}",
        _install(job),
        _run(job),
        _good_to_know(job),
    ]
    return "\n\n".join(parts) + "\n"


def _good_to_know(job: Job) -> str:
    check = _filled(_CHECK.format(verify=job.machine.verify))
    return _NOTES.format(batches=_batches(job), cache=_filled(job.machine.cache), check=check).rstrip("\n")


def _filled(text: str) -> str:
    """A text of the notes on lines of their width."""
    return textwrap.fill(text, 120, initial_indent=_INDENT, subsequent_indent=_INDENT).lstrip()


def _starts(job: Job) -> str:
    told = _STARTS[job.start].format(script=job.script)
    if job.start is Start.SINGLE and job.slice.chips > 1:
        told += (
            f" The other {job.slice.chips - 1} stay idle: a smaller slice would do, or {job.machine.several} for all."
        )
    return told


def _install(job: Job) -> str:
    install = "pip install " + " ".join(f"'{name}'" for name in job.machine.requirements)
    if job.slice.hosts == 1:
        return f"Install, on the host\n    {install}"
    return (
        "Once: this folder and the packages on every host of your slice NAME in ZONE\n"
        "    gcloud compute tpus tpu-vm scp --recurse . NAME:job --zone ZONE --worker=all\n"
        f'    gcloud compute tpus tpu-vm ssh NAME --zone ZONE --worker=all --command "{install}"'
    )


def _run(job: Job) -> str:
    if job.slice.hosts == 1:
        return f"Run, in the folder that holds {job.script}\n    {job.variables}{job.command}"
    command = f"cd job && {job.at('ADDRESS')}{job.variables}{job.command}".replace("'", "'\\''")
    told = "Run the same command on every host, at the same time: they find each other, and wait until all are there"
    if job.meets:
        told += "\nADDRESS is that of the first host: hostname -I says it there."
    return f"{told}\n    gcloud compute tpus tpu-vm ssh NAME --zone ZONE --worker=all --command '{command}'"


def _batches(job: Job) -> str:
    if job.start is Start.SPMD:
        return "the batch of the loader is that of the host, and the mesh shards it over the chips."
    processes = 1 if job.start is Start.SINGLE else job.slice.chips
    if processes == 1:
        return "the batch of the loader is that of the step."
    times = f"a step of all {processes} takes {processes} times as many rows."
    return f"each process loads batches of the loader's size: {times}"
