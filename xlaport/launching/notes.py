"""What to run where, in words: one host, a pod of several, and what to know of it."""

from __future__ import annotations

from xlaport.launching.job import FIRST_HOST, REQUIREMENTS, Job, Start

_STARTS = {
    Start.LAUNCHES: "{script} starts a process for each chip itself (torch_xla.launch): no torchrun is needed.",
    Start.TORCHRUN: "{script} joins a process group and starts no processes: torchrun starts one for each chip.",
    Start.SPMD: "{script} uses SPMD: one process on each host has all its chips, and no launcher is needed.",
    Start.LIGHTNING: "Lightning starts a process for each chip itself: no torchrun is needed.",
    Start.ACCELERATE: (
        "accelerate's launcher calls main() of {script} in a process for each chip: write the name of\n"
        "the function that trains, if it is another."
    ),
    Start.SINGLE: "{script} is one process, and uses one chip.",
}

_NOTES = """\
Good to know
    Batches  {batches}
    Chips    TPU_VISIBLE_CHIPS=0 TPU_PROCESS_BOUNDS=1,1,1 TPU_CHIPS_PER_PROCESS_BOUNDS=1,1,1 before the command: one
             process on one chip, for a first try.
    Cache    XLA_PERSISTENT_CACHE_PATH=/tmp/xla before the command, or xr.initialize_cache("/tmp/xla") before the first
             tensor: the next start takes the graphs from there in place of compiling them.
    Check    xlaport doctor says whether the machine has what it takes; xlaport verify runs a few steps and says whether
             the graphs stay compiled.
"""


def text(job: Job) -> str:
    """The notes for a job."""
    slice_ = job.slice
    hosts = "one host" if slice_.hosts == 1 else f"{slice_.hosts} hosts of {slice_.chips_per_host}"
    chips = "1 chip" if slice_.chips == 1 else f"{slice_.chips} chips"
    parts = [
        f"{job.script} on a TPU {slice_.name}: {chips}, {hosts}\n{_starts(job)}",
        "Install, on each host\n    pip install " + " ".join(f"'{name}'" for name in REQUIREMENTS),
        _run(job),
        _NOTES.format(batches=_batches(job)).rstrip("\n"),
    ]
    return "\n\n".join(parts) + "\n"


def _starts(job: Job) -> str:
    told = _STARTS[job.start].format(script=job.script)
    if job.start is Start.SINGLE and job.slice.chips > 1:
        told += f" The other {job.slice.chips - 1} stay idle: a smaller slice would do, or torch_xla.launch() for all."
    return told


def _run(job: Job) -> str:
    if job.slice.hosts == 1:
        return f"Run, on the host\n    PJRT_DEVICE=TPU {job.command}"
    command = f"PJRT_DEVICE=TPU {job.command}".replace("'", "'\\''")
    if FIRST_HOST in command:
        command = f"{FIRST_HOST}=ADDRESS {command}"
    return (
        "Run the same command on every host, at the same time: they find each other, and wait until all are there\n"
        f"    gcloud compute tpus tpu-vm ssh NAME --zone ZONE --worker=all --command '{command}'"
    )


def _batches(job: Job) -> str:
    if job.start is Start.SPMD:
        return "the batch of the loader is that of the host, and the mesh shards it over the chips."
    processes = 1 if job.start is Start.SINGLE else job.slice.chips
    if processes == 1:
        return "the batch of the loader is that of the step."
    return f"the batch of the loader is that of one process: a step takes {processes} times as much."
