import torch_xla.core.xla_model as xm, torch_xla.runtime as xr; xm.xrt_world_size = xr.world_size; xm.get_ordinal = xr.global_ordinal
import ignite.distributed as idist
from ignite.engine import create_supervised_evaluator
from ignite.metrics import Accuracy
from torch import nn

evaluator = create_supervised_evaluator(nn.Linear(4, 1), metrics={"accuracy": Accuracy()}, device="xla")
with idist.Parallel(backend="xla-tpu", nproc_per_node=4) as parallel:
    parallel.run(print)
