import torch
import torch_xla
from torch.nn.utils import clip_grad_norm_


from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP


def train(index, model, loader):
    model = FSDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        model(x).sum().backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        torch_xla.sync()


torch_xla.launch(train)
