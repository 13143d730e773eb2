import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def train(index, model, optimizer, loader, scaler):
    for x in loader:
        scaler.scale(model(x).sum()).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        xm.optimizer_step(optimizer)


torch_xla.launch(train)
