"""XP817: packages for CUDA that a project asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.commands import commands
from xlaport.documents.document import LAUNCHERS, Document, Kind
from xlaport.documents.requirements import requirements
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Span
from xlaport.target import Target
from xlaport.wording import Text

from .._lib.launch.saying import say

_PACKAGES: tuple[tuple[str, str], ...] = (
    (r"(nvidia-)?apex", "XP817.apex"),
    (r"nvidia-dali.*", "XP817.loading"),
    (r"nvidia-.*|pynvml|py3nvml|gputil|gpustat|nvitop", "XP817.package"),
    (r"cudatoolkit(-dev)?|cudnn|nccl|cuda|cuda-.*|pytorch-cuda|pytorch-mutex", "XP817.package"),
    (r"triton|triton-.*|pytorch-triton.*|tensorrt(-.*)?|torch-tensorrt", "XP817.package"),
    (r"cupy(-.*)?|pycuda|numba-cuda", "XP817.arrays"),
    (r"flash-attn(-.*)?|flash-attention|xformers", "XP817.attention"),
    (r"bitsandbytes(-.*)?|auto-gptq|autoawq(-.*)?|exllamav2", "XP817.quantized"),
    (r"deepspeed", "XP817.deepspeed"),
    (r"transformer-engine.*", "XP817.layers"),
    (r".*-cu(da)?-?\d{2,3}(x)?", "XP817.build"),
)
"""Names of packages, and what is said of each."""

_OF_THE_HOST = (
    (r"faiss-gpu(-.*)?", "faiss-cpu"),
    (r"onnxruntime-gpu", "onnxruntime"),
    (r"tensorflow-gpu", "tensorflow"),
)
"""Packages of which there is the same for the host."""

_INDEX = re.compile(r"/cu\d{2,3}(?=$|[/\s\"'\\,;)])")
_REPOSITORY = re.compile(r"(?m)^[^#\r\n]*?(?P<where>\bgit\+\w+://[^\s\"'#]*?/(?P<name>[\w.-]+))(?=$|[\s\"'#@;])")
_LOCAL = re.compile(r"\+cu\d{2,3}\b")


class CudaRequirement(DocumentRule):
    """Report packages for CUDA that a project asks for.

    ## What it does
    Reports, in requirements files, `pyproject.toml`, `setup.cfg`, conda environments and install commands, each
    package that needs an NVIDIA GPU or is a part of CUDA, with its replacement, and package indexes and versions that
    are built for CUDA (`/cu121`, `+cu121`).

    ## Why
    Most of them do not install or do not import on a TPU machine. The parts of CUDA that torch's build for GPUs depends
    on are gigabytes that nothing uses.

    ## Example
        torch==2.1.0
        nvidia-cudnn-cu12==8.9.2.26
        flash-attn>=2.3

    is reported. For a TPU:

        torch~=2.9.0
        torch_xla[tpu]~=2.9.0

    ## When it is wrong
    Where the file serves GPU machines, too. Nothing is rewritten.

    ## When it is left alone
    Packages that only sound alike, indexes for the CPU, comments, and commands that install nothing.

    ## Sources
    - The table `rules/cuda_api.toml`, by what each package says that it requires.

    ## Related
    XP804, XP816.
    """

    code = "XP817"
    name = "cuda-requirement"
    summary = "packages and indexes for CUDA that a project asks for"
    applicability = Applicability.MANUAL
    harm = Harm.LEFTOVER
    words = (
        "nvidia", "nvml", "nvitop", "GPUtil", "gputil", "gpu", "cud", "nccl", "cup", "flash", "xformers",
        "bitsandbytes", "apex", "triton", "deepspeed", "transformer", "tensorrt", "gptq", "autoawq", "exllama", "cu1",
        "/cu", "+cu", "pytorch-mutex",
    )  # fmt: skip
    kinds = (Kind.REQUIREMENTS, Kind.TOML, Kind.INI, Kind.YAML, *LAUNCHERS)

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding for each package and each index."""
        for requirement in requirements(document):
            if (text := _text(requirement.name)) is not None:
                yield self.finding(requirement.span, text)
            elif _LOCAL.search(requirement.version):
                yield self.finding(
                    requirement.span, say("XP817.local", version=f"{requirement.name}{requirement.version}")
                )
        for name, span in _repositories(document):
            if (text := _text(name)) is not None:
                yield self.finding(span, text)
        for span in _indexes(document):
            yield self.finding(span, say("XP817.index"))


def _text(name: str) -> Text | None:
    """What is said of a package, if it is for CUDA."""
    instead = next((other for pattern, other in _OF_THE_HOST if re.fullmatch(pattern, name)), None)
    if instead is not None:
        return say("XP817.host", name=name, instead=instead)
    key = next((key for pattern, key in _PACKAGES if re.fullmatch(pattern, name)), None)
    return say(key, name=name) if key is not None else None


def _repositories(document: Document) -> Iterator[tuple[str, Span]]:
    """The packages that are installed from a repository: ``git+https://github.com/NVIDIA/apex@master``."""
    for match in _REPOSITORY.finditer(document.text):
        name = match["name"].lower().removesuffix(".git").replace("_", "-")
        yield name, Span(match.start("where"), match.end("where"))


def _indexes(document: Document) -> Iterator[Span]:
    """The words with the address of an index for CUDA, in requirements files and install commands."""
    if document.kind is Kind.REQUIREMENTS:
        for match in re.finditer(r"^[ \t]*(?:-i|-f|--[\w-]+)[ =]+(?P<where>[^\s#]+)", document.text, re.MULTILINE):
            if _INDEX.search(match["where"]):
                yield Span(match.start("where"), match.end("where"))
    elif document.kind in LAUNCHERS:
        for command in commands(document):
            if command.program not in ("echo", "printf") and any(word.value == "install" for word in command.words):
                yield from (word.span for word in command.words if "://" in word.text and _INDEX.search(word.text))
