import torch
import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.xla_backend
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def work(index):
    dist.init_process_group("xla", init_method="xla://")
    rank = dist.get_rank()
    model = DistributedDataParallel(nn.Linear(4, 1).to("xla"), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(torch.rand(64, 4), batch_size=8, drop_last=True)
    for epoch in range(3):
        for x in pl.MpDeviceLoader(loader, "xla"):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
        if rank == 0:
            print(epoch)
            xm.save(model.state_dict(), "model.pt")


if __name__ == "__main__":
    torch_xla.launch(work)
