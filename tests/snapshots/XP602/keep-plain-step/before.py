import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def train(index, model, optimizer, loader):
    for x in loader:
        model(x).sum().backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def optimizer_step(optimizer):
    optimizer.step()


def other(index, model, optimizer, loader):
    clip_grad_norm_(model.parameters(), 1.0)
    optimizer_step(optimizer)


torch_xla.launch(train)
