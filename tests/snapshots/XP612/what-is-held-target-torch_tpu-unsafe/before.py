import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

try:
    from torch.distributed.fsdp import FullyShardedDataParallel as Guarded
except ImportError:
    Guarded = None


def saved(net, rank):
    model = FSDP(net, device_id=rank)
    state = model.state_dict()
    if dist.get_rank() == 0:
        torch.save(state, "net.pt")
    model.load_state_dict(torch.load("net.pt"))


def behind(net, rank, loader):
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    model = FSDP(net, device_id=rank, use_orig_params=True)
    for x in loader:
        model(x).sum().backward()
        optimizer.step()


def inner(model, is_sharded, net):
    plain = model.module if isinstance(model, FSDP) else model
    while isinstance(model, (nn.DataParallel, FSDP)):
        model = model.module
    if is_sharded:
        net = FSDP(net)
    compiled = torch.compile(FSDP(nn.Linear(2, 2)))
    exact = type(model) is FSDP
    guarded = Guarded is not None and isinstance(model, Guarded)
    return plain, net.module, compiled.module, exact, guarded


def accumulate(net, x):
    model = FSDP(net)
    with model.no_sync():
        model(x).sum().backward()
    model.to("cuda")
