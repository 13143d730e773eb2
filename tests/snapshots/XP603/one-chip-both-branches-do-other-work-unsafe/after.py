import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def epoch(model, optimizer, log):
    for x in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
        loss = model(x.cuda()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if log is not None:
        log.write("done")


def worker(rank):
    dist.init_process_group("xla", init_method="xla://")
    torch.cuda.set_device(rank)
    model = DDP(nn.Linear(4, 1).cuda(), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        if rank == 0:
            epoch(model, optimizer, open("log.txt", "a"))
        else:
            model(torch.zeros(8, 4).cuda())


if __name__ == "__main__":
    torch_xla.launch(worker, debug_single_process=True)
