import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def show(module, x):
    print(type(module).__name__, tuple(module(x).shape))


def worker(rank):
    dist.init_process_group("xla", init_method="xla://")
    torch.cuda.set_device(rank)
    model = nn.Linear(4, 1).cuda()
    model = DDP(model, gradient_as_bucket_view=True)
    if rank == 0:
        with torch.no_grad():
            show(model, torch.zeros(2, 4).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
        loss = model(x.cuda()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    torch_xla.launch(worker, debug_single_process=True)
