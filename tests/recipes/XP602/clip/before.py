import torch
import torch_xla

import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def train(index, model, optimizer, loader):
    for i, x in enumerate(loader):
        loss = model(x).sum()
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        if i > 2:
            xm.optimizer_step(optimizer)
        torch_xla.sync()


torch_xla.launch(train)
