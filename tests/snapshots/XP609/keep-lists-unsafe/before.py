import torch
import torch_xla.core.xla_model as xm


def reduce(model, buffers, loss):
    gradients = [p.grad for p in model.parameters()]
    xm.all_reduce("sum", gradients)
    xm.all_reduce("sum", [loss])
    xm.all_reduce("sum", buffers)
    xm.all_reduce("sum", list(model.buffers()))
