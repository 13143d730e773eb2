import os

import torch
import torch.distributed as dist
import torch.nn as nn


def main():
    dist.init_process_group(backend="nccl", init_method="env://")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    device = torch.device("cuda")
    net = nn.Linear(4, 4).to(device)
    if dist.get_rank() == 0:
        with torch.no_grad():
            sigma = torch.ones([2, 4], device=device)
            print(net(sigma).shape)
    optim = torch.optim.SGD(net.parameters(), lr=0.1)
    ddp = nn.parallel.DistributedDataParallel(net, device_ids=[device])
    for _ in range(100):
        loss = ddp(torch.randn(8, 4, device=device)).pow(2).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()


if __name__ == "__main__":
    main()
