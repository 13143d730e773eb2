"""XP815: launchers, schedulers, images and options for GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.commands import Command, commands, options
from xlaport.documents.document import LAUNCHERS, Document, Kind
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Span
from xlaport.target import Target

from .._lib.launch.naming import asks_for_fp16, is_gpus, plain, switches_on
from .._lib.launch.programs import NOT_RUNNING
from .._lib.launch.saying import say

_SCHEDULED = re.compile(
    r"^#(?:SBATCH|PBS|\$|BSUB)[ \t][^\r\n]*?(?P<what>--gres=gpu\S*|--gpus[\w-]*[= ]\S+|\bngpus=\d+|-l[ \t]+gpu\w*=\S+|"
    r"-gpu[ \t][^\r\n]+)",
    re.MULTILINE,
)
_PYTHON = re.compile(
    r"^(?![ \t@-]*(?:#|echo\b|printf\b))[^\r\n#]*?(?P<name>\btorch\.(?:cuda\.\w+|device\([\"']cuda))", re.MULTILINE
)
_STARTERS = frozenset("watch srun sudo mpirun exec nohup time poetry uv run env python -m".split())
_WITHOUT_GPU = {
    "torchrun": "XP815.torchrun",
    "torch.distributed.launch": "XP815.torchrun",
    "torch.distributed.run": "XP815.torchrun",
    "nvidia-smi": "XP815.driver",
    "nvcc": "XP815.compiler",
    "nsys": "XP815.profiler",
    "ncu": "XP815.profiler",
    "nvprof": "XP815.profiler",
    "deepspeed": "XP815.deepspeed",
    "nvidia-docker": "XP815.container",
}
"""Programs that need a GPU, and what is said of each."""


class GpuLauncher(DocumentRule):
    """Report launchers, schedulers, images and options that are for GPUs.

    ## What it does
    Reports, in shell scripts, Makefiles and Dockerfiles: torchrun and `torch.distributed.launch`, `deepspeed`,
    `accelerate launch --multi_gpu`, GPUs for SLURM, PBS and Docker, images made for CUDA, `nvidia-smi` and
    profilers, and options for GPUs, nccl or float16.

    ## Why
    A TPU program is started once on each host; `torch_xla.launch` starts a process for each chip. torchrun works on a
    TPU only for a program whose process group has the backend `xla`. The rest fails on a machine without an NVIDIA
    driver, or does something else.

    ## Example
        torchrun --nproc_per_node=8 train.py --dist-backend nccl

    is reported. Once `train.py` calls `torch_xla.launch`, write

        python train.py

    ## When it is wrong
    Where an option only looks like one for GPUs: it is another program's. Nothing is rewritten.

    ## When it is left alone
    What is printed, copied, installed or only looked for (`which nvidia-smi`), images without CUDA, options that are
    off, and a flag such as `--cuda`, by which a converted program chooses the TPU.

    ## Sources
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html
    - PyTorch/XLA, Migrating from GPUs to TPUs: https://docs.pytorch.org/xla/master/learn/migration-to-xla-on-tpus.html

    ## Related
    XP813, XP603, XP910.
    """

    code = "XP815"
    name = "gpu-launcher"
    summary = "launchers, schedulers, images and options for GPUs"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    words = (
        "gpu", "GPU", "torchrun", "torch.distributed", "nccl", "nvidia", "nvcc", "nsys", "ncu", "nvprof", "deepspeed",
        "cuda", "fp16", "precision", "PBS",
    )  # fmt: skip
    kinds = LAUNCHERS

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding for each."""
        if document.kind is Kind.SHELL:
            for match in _SCHEDULED.finditer(document.text):
                yield self.finding(Span(match.start("what"), match.end("what")), say("XP815.scheduler"))
        for match in _PYTHON.finditer(document.text):
            yield self.finding(Span(match.start("name"), match.end()), say("XP815.inline"))
        for command in commands(document):
            if command.instruction == "FROM":
                yield from self._image(command)
            elif command.runs and command.program not in NOT_RUNNING:
                yield from self._launcher(command)
                yield from self._options(command)

    def _image(self, command: Command) -> Iterator[Finding]:
        image = command.words[0] if command.words else None
        if image is not None and re.search(r"(^|/)nvidia/|(^|[^a-z])cuda", image.text):
            yield self.finding(image.span, say("XP812.image"))

    def _launcher(self, command: Command) -> Iterator[Finding]:
        values = [word.value or "" for word in command.words]
        for i, word in enumerate(command.words):
            name = values[i].rpartition("/")[2]
            if name in _WITHOUT_GPU:
                yield self.finding(word.span, say(_WITHOUT_GPU[name], name=name))
            # What stands behind the program are its arguments.
            if not (name in _STARTERS or values[i].startswith("-") or re.fullmatch(r"python[\d.]*", name)):
                break

    def _options(self, command: Command) -> Iterator[Finding]:
        says = {word.value for word in command.words}
        launcher = "accelerate" in says and "launch" in says
        program = command.program
        containers = bool({"docker", "podman"} & {word.value for word in command.words[:2]})
        for option in options(command):
            name, value = plain(option.name), option.value
            end = option.value_span.end if option.value_span is not None else option.word.span.end
            span = Span(option.word.span.start, max(end, option.word.span.end))
            if launcher and name in ("multi_gpu", "use_deepspeed", "gpu_ids", "use_megatron_lm"):
                yield self.finding(option.word.span, say("XP815.accelerate", name=option.name))
            elif (containers and name == "gpus") or (containers and name == "runtime" and value == "nvidia"):
                yield self.finding(span, say("XP815.container"))
            elif program in ("srun", "sbatch", "salloc") and (
                (name == "gres" and (value or "").startswith("gpu")) or re.fullmatch(r"gpus(_per_\w+)?", name)
            ):
                yield self.finding(span, say("XP815.scheduler"))
            elif value == "nccl":
                yield self.finding(span, say("XP812.nccl"))
            elif asks_for_fp16(name, value or "") or (name in ("fp16", "memory_efficient_fp16") and value != "false"):
                yield self.finding(span, say("XP812.fp16"))
            elif is_gpus(name) and not switches_on(name, value):
                if value not in ("0", "false", "False") or name == "gpu":
                    yield self.finding(span, say("XP812.number"))
