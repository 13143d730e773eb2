import ignite.distributed as idist
import torch
from ignite.engine import create_supervised_evaluator, create_supervised_trainer
from ignite.metrics import Accuracy
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
trainer = create_supervised_trainer(
    model, optimizer, nn.MSELoss(), device="xla"
)
evaluator = create_supervised_evaluator(model, metrics={"accuracy": Accuracy()}, device="xla")

with idist.Parallel(backend="xla-tpu", nproc_per_node=4) as parallel:
    parallel.run(print)
