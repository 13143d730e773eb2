import torch_xla.core.xla_model as xm


def step(loss, optimizer):
    loss.backward()
    xm.optimizer_step(optimizer)
