import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def train(index, model, optimizer, loader):
    for x in loader:
        model(x).sum().backward()
        xm.reduce_gradients(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        model(x).mean().backward()
        xm.optimizer_step(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)


torch_xla.launch(train)
