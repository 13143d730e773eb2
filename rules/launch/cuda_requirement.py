"""XP817: packages for CUDA that a project asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.commands import commands
from xlaport.documents.document import LAUNCHERS, Document, Kind
from xlaport.documents.requirements import requirements
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Span
from xlaport.target import Target

_DRIVER = "asks an NVIDIA driver, which a TPU machine does not have: drop it with the code that uses it"
_ATTENTION = "torch.nn.functional.scaled_dot_product_attention takes its place"
_PART = "is a part of CUDA, which nothing uses on a TPU: drop it"
_ADVICE: tuple[tuple[str, str], ...] = (
    (r"nvidia-ml-py\d*|pynvml|py3nvml|gputil|gpustat|nvitop|nvidia-smi", _DRIVER),
    (r"nvidia-dali.*", "loads data on a GPU: on a TPU the host does it, with torchvision or tf.data"),
    (r"nvidia-.*", _PART),
    (r"cudatoolkit(-dev)?|cudnn|nccl|cuda|cuda-.*|pytorch-cuda|pytorch-mutex", _PART),
    (r"cupy(-.*)?|pycuda|numba-cuda", "computes on an NVIDIA GPU: use numpy on the host, or torch on the TPU"),
    (r"flash-attn(-.*)?|flash-attention", "is a CUDA kernel: " + _ATTENTION),
    (r"xformers", "holds CUDA kernels: " + _ATTENTION),
    (r"bitsandbytes(-.*)?", "holds CUDA kernels: keep the weights in bfloat16, and take the optimizers of torch.optim"),
    (r"apex|nvidia-apex", "holds CUDA kernels: torch.autocast and torch.optim take its place"),
    (r"triton|triton-.*|pytorch-triton.*", "compiles kernels for GPUs, and torch_xla does not use it: drop it"),
    (r"deepspeed", "has no TPU: shard with torch_xla's FSDP or SPMD"),
    (r"transformer-engine.*", "is for NVIDIA GPUs: use the layers of torch.nn in bfloat16"),
    (r"faiss-gpu(-.*)?", "searches on a GPU: faiss-cpu is the same library for the host"),
    (r"onnxruntime-gpu", "runs on a GPU: onnxruntime is the same library for the host"),
    (r"tensorflow-gpu", "is for GPUs: tensorflow is the same library without them"),
    (r"tensorrt(-.*)?|torch-tensorrt", "compiles for NVIDIA GPUs; on a TPU XLA compiles: drop it"),
    (r"auto-gptq|autoawq(-.*)?|exllamav2", "holds CUDA kernels for quantized weights: keep the weights in bfloat16"),
    (r".*-cu(da)?-?\d{2,3}(x)?", "is built for CUDA: take the build for the CPU, if there is one"),
)  # fmt: skip
_PACKAGES = tuple((re.compile(pattern), advice) for pattern, advice in _ADVICE)
_INDEX = re.compile(r"/cu\d{2,3}(?=$|[/\s\"'\\,;)])")
_REPOSITORY = re.compile(r"(?m)^[^#\r\n]*?(?P<where>\bgit\+\w+://[^\s\"'#]*?/(?P<name>[\w.-]+))(?=$|[\s\"'#@;])")
_LOCAL = re.compile(r"\+cu\d{2,3}\b")


class CudaRequirement(DocumentRule):
    """Report packages for CUDA that a project asks for.

    ## What it does
    Reports, in requirements files, `pyproject.toml`, `setup.cfg`, conda environments and install commands, each
    package that needs an NVIDIA GPU or is a part of CUDA, with what takes its place, and package indexes and versions
    that are built for CUDA (`/cu121`, `+cu121`).

    ## Why
    Most of them do not install or do not import on a TPU machine. The parts of CUDA that torch's own build for GPUs
    brings along are gigabytes that nothing uses.

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
            advice = next((a for pattern, a in _PACKAGES if pattern.fullmatch(requirement.name)), None)
            if advice is not None:
                yield self.finding(requirement.span, f"{requirement.name} {advice}")
            elif _LOCAL.search(requirement.version):
                yield self.finding(requirement.span, f"{requirement.name}{requirement.version} is a build for CUDA: "
                                   f"leave the part behind the + out")  # fmt: skip
        for name, span in _repositories(document):
            advice = next((a for pattern, a in _PACKAGES if pattern.fullmatch(name)), None)
            if advice is not None:
                yield self.finding(span, f"{name} {advice}")
        for span in _indexes(document):
            yield self.finding(
                span,
                "this index has builds for CUDA, which bring gigabytes of it along: take the plain index, or the one "
                "for the CPU",
            )


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
