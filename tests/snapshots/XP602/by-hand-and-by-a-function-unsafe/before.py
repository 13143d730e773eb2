import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def clip_gradients(model, limit):
    norm = clip_grad_norm_(model.parameters(), limit)
    return norm


def train(index, model, optimizer, loader):
    for x in loader:
        model(x).sum().backward()
        for p in model.parameters():
            if p.grad is not None:
                p.grad.data.clamp_(-1, 1)
        xm.optimizer_step(optimizer)
        model(x).mean().backward()
        norm = clip_gradients(model, 1.0)
        xm.optimizer_step(optimizer)


torch_xla.launch(train)
