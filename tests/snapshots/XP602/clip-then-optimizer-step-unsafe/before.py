import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def train(index, model, optimizer, loader, args):
    for x in loader:
        optimizer.zero_grad()
        model(x).sum().backward()
        # Keep the gradients small.
        clip_grad_norm_(model.parameters(), args.clip)
        xm.optimizer_step(optimizer)


torch_xla.launch(train)
