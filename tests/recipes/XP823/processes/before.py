import ignite.distributed as idist
from ignite.engine import create_supervised_evaluator
from ignite.metrics import Accuracy
from torch import nn

evaluator = create_supervised_evaluator(nn.Linear(4, 1), metrics={"accuracy": Accuracy()}, device="xla")
with idist.Parallel(backend="xla-tpu", nproc_per_node=4) as parallel:
    parallel.run(print)
