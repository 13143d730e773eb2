import os

import torch
import torch.distributed as dist
import torch.nn as nn


def check_consistency(module):
    for name, tensor in module.state_dict().items():
        other = tensor.clone()
        dist.broadcast(tensor=other, src=0)
        assert (tensor == other).all(), name


def main():
    dist.init_process_group(backend='nccl', init_method='env://')
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    device = torch.device('cuda')
    net = nn.Linear(4, 4).to(device)
    optim = torch.optim.SGD(net.parameters(), lr=0.1)
    ddp = nn.parallel.DistributedDataParallel(net, device_ids=[device])
    for step in range(100):
        loss = ddp(torch.randn(8, 4, device=device)).pow(2).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
    check_consistency(net)


if __name__ == '__main__':
    main()
