import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


def train(index, model, optimizer, loader, args):
    for i, x in enumerate(loader):
        loss = model(x).sum()
        loss.backward()
        if (i + 1) % args.every == 0:
            xm.reduce_gradients(optimizer)
            if args.clip:
                torch.nn.utils.clip_grad_value_(model.parameters(), args.clip)
            optimizer.step()
            optimizer.zero_grad()


torch_xla.launch(train)
