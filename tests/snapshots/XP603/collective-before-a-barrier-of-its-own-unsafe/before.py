import torch
import torch.nn as nn
import torch.distributed as dist
import torch_xla


def mean(x):
    dist.all_reduce(x)
    result = x / dist.get_world_size()
    torch_xla.sync()
    return result


def shown(x):
    dist.all_reduce(x)
    print(float(x))
    torch_xla.sync()
    return x


def main():
    dist.init_process_group("nccl")
    net = nn.Linear(3, 4).to(torch_xla.device())
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for i in range(10):
        loss = net(torch.randn(2, 3).to(torch_xla.device())).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(mean(loss.detach()).item())
    shown(loss.detach())


if __name__ == "__main__":
    main()
