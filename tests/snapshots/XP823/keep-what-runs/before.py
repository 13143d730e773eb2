import torch
from ignite.engine import Engine, create_supervised_trainer
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
trainer = create_supervised_trainer(model, optimizer, nn.MSELoss(), device="xla", amp_mode=None, scaler=False)
engine = Engine(lambda engine, batch: None)


def create_supervised_evaluator(model, amp_mode):
    return model


create_supervised_evaluator(model, amp_mode="amp")
