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
        xm.reduce_gradients(optimizer)
        for p in model.parameters():
            if p.grad is not None:
                p.grad.data.clamp_(-1, 1)
        optimizer.step()
        model(x).mean().backward()
        xm.reduce_gradients(optimizer)
        norm = clip_gradients(model, 1.0)
        optimizer.step()


torch_xla.launch(train)
