import torch
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def train(model, optimizer, loader):
    for x in loader:
        model(x).sum().backward()
        clip_grad_norm_(model.parameters(), 1.0)
        xm.optimizer_step(optimizer)
