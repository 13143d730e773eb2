import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def train(index, model, optimizer, loader, args):
    for x in loader:
        model(x).sum().backward()
        clip_grad_norm_(model.parameters(), args.clip)
        xm.optimizer_step(optimizer)


torch_xla.launch(train)
