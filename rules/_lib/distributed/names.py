"""What a job of several processes is made of: the names of PyTorch, and the variables that torchrun sets."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.target import Target

from .. import process_start

START = process_start.JOIN
ASKED_BACKEND = "torch.distributed.get_backend"
DEFAULT_BACKEND = "torch.distributed.get_default_backend_for_device"
SPAWN = process_start.SPAWN
_NCCL = frozenset({"nccl", "cuda:nccl", "cpu:gloo,cuda:nccl", "cuda:nccl,cpu:gloo"})


def is_nccl(node: ast.AST | None) -> bool:
    """Whether a text is how NVIDIA's backend is called, in large or small letters, as PyTorch has it."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() in _NCCL


WRAPPERS = frozenset(
    {"torch.nn.parallel.DistributedDataParallel", "torch.nn.parallel.distributed.DistributedDataParallel"}
)
SAMPLERS = frozenset({"torch.utils.data.distributed.DistributedSampler", "torch.utils.data.DistributedSampler"})
ASKS = frozenset(
    f"torch.distributed.{name}"
    for name in ("is_available", "is_initialized", "get_rank", "get_world_size", "get_backend", "destroy_process_group")
)
REDUCE_TO_ONE = "torch.distributed.reduce"
"""All processes get what one alone would: with torch_xla 2.9's own, their graphs differ in the copy to that one."""
COLLECTIVES = {
    "torch.distributed.all_reduce": ("tensor", "op"),
    "torch.distributed.broadcast": ("tensor", "src"),
    "torch.distributed.all_gather": ("tensor_list", "tensor"),
    REDUCE_TO_ONE: ("tensor", "dst", "op"),
}
"""Those that the XLA backend runs as NCCL's does, on tensors of the device, in place, and their parameters."""
OPERATIONS = frozenset(
    f"torch.distributed.{kind}.{name}"
    for kind in ("ReduceOp", "reduce_op")
    for name in ("SUM", "MAX", "MIN", "PRODUCT")
)
"""Those that the XLA backend knows. Source: `ProcessGroupXla._get_reduce_type` of torch_xla 2.9; AVG is none."""
SETTINGS = frozenset(f"torch.multiprocessing.set_{name}" for name in ("sharing_strategy", "start_method"))
"""What has to do with the workers of a loader alone: a launch chooses for itself how it starts its processes."""

DATA_PARALLEL = frozenset(
    {"torch.nn.DataParallel", "torch.nn.parallel.DataParallel", "torch.nn.parallel.data_parallel.DataParallel"}
)
"""One process for all GPUs: without a GPU it passes on to the model, and in its place SPMD divides the batch."""

SYNC_BATCH_NORM = frozenset(
    f"torch.nn.{module}SyncBatchNorm{method}"
    for module in ("", "modules.batchnorm.", "modules.")
    for method in ("", ".convert_sync_batchnorm")
)
LOUD = DATA_PARALLEL | SYNC_BATCH_NORM
"""What does no harm to the rest: it passes on to the model, or raises where there are several processes."""

BARRIER = "torch.distributed.barrier"
"""`ProcessGroupXla.barrier` of torch_xla 2.9 returns at once."""

PREFIXES = (
    "torch.distributed.", "torch.nn.parallel.", "torch.nn.DataParallel", "torch.nn.SyncBatchNorm",
    "torch.nn.modules.batchnorm.SyncBatchNorm", "torch.nn.modules.SyncBatchNorm",
    "torch.multiprocessing.", "torch.utils.data.distributed.", "torch.utils.data.DistributedSampler",
)  # fmt: skip

RANKS = {"LOCAL_RANK": ("local_ordinal", 0), "RANK": ("global_ordinal", 0), "WORLD_SIZE": ("world_size", 1)}
"""The variables of torchrun: how the target asks for the same, and what it answers for a single process."""
ADDRESSES = frozenset({"MASTER_ADDR", "MASTER_PORT"})
OF_LAUNCHERS = {
    **dict.fromkeys(("SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS"), "srun"),
    **dict.fromkeys(("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"), "mpirun"),
    **dict.fromkeys(("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MV2_COMM_WORLD_RANK"), "mpiexec"),
}
"""The variables of launchers that know nothing of XLA, and who sets them."""
OTHER_VARIABLES = frozenset({"LOCAL_WORLD_SIZE", "GROUP_RANK", "NODE_RANK", *OF_LAUNCHERS})
STARTED_WITH = frozenset({*RANKS, *ADDRESSES, *OTHER_VARIABLES})
"""What a launcher of processes tells them by the environment."""


FRAMEWORKS = frozenset(
    {"accelerate", "apex", "colossalai", "deepspeed", "fairscale", "horovod", "ignite", "lightning", "monai",
     "pytorch_lightning", "ray"}
)  # fmt: skip
"""Packages with collectives, wrappers or launchers of their own."""
LAUNCHERS = {"mpi4py": "mpiexec"}
"""Packages that ask who started the processes for their ranks, and who that is."""
ALONE = ("apex.parallel.LARC", "apex.optimizers", "apex.normalization", "apex.multi_tensor_apply", "apex.fp16_utils")
"""Modules of such packages in which processes do not meet; XP804 speaks of them."""


def is_of_several_devices(name: str) -> bool:
    """Whether a qualified name belongs to running on several devices."""
    return name.startswith(PREFIXES)


def is_distributed(context: Context, node: ast.AST) -> str | None:
    """The qualified name of what belongs to several processes, at the outermost node that names it."""
    if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return None
    if isinstance(context.module.parents[node], ast.Attribute):
        return None
    name = context.resolve(node)
    return name if name is not None and name.startswith(PREFIXES) else None


def shown(name: str) -> str:
    """A function for a message, by its last word: ``all_reduce()``."""
    return f"{name.rpartition('.')[2]}()"


def spelled(context: Context, *meanings: str) -> dict[str, str]:
    """How the functions of the target are called in full, by their meanings, for a message."""
    return {meaning: context.target.symbol(meaning).qualified for meaning in meanings}


def called(context: Context, node: ast.expr) -> ast.Call | None:
    """The call of what a node names, if it is called there."""
    parent = context.module.parents[node]
    return parent if isinstance(parent, ast.Call) and parent.func is node else None


def variable(context: Context, node: ast.AST) -> tuple[str, ast.expr | None] | None:
    """The variable of the environment that an expression reads or sets, and the default that it gives."""
    if isinstance(node, ast.Subscript) and context.resolve(node.value) == "os.environ":
        return _named(node.slice, None)
    if isinstance(node, ast.Call) and node.args:
        name = context.resolve(node.func)
        if name in ("os.getenv", "os.environ.get", "os.environ.setdefault", "os.environ.pop"):
            return _named(node.args[0], node.args[1] if len(node.args) > 1 else None)
    if isinstance(node, ast.Compare) and any(context.resolve(other) == "os.environ" for other in node.comparators):
        return _named(node.left, None)
    return None


def _named(key: ast.expr, default: ast.expr | None) -> tuple[str, ast.expr | None] | None:
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        if key.value in RANKS or key.value in ADDRESSES or key.value in OTHER_VARIABLES:
            return key.value, default
    return None


def meets(target: Target) -> frozenset[str]:
    """The qualified names of the target's own calls in which all processes meet."""
    meanings = ("rendezvous", "all_reduce", "all_gather", "mesh_reduce", "reduce_gradients", "broadcast_parameters")
    return frozenset(name for m in meanings for name in (target.symbol(m).qualified, *target.other_spellings(m)))
