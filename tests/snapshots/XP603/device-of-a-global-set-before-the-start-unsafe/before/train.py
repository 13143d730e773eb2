import stats
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def init():
    stats.set_up(torch.device("cuda"))
    dist.init_process_group("nccl", init_method="env://")


def main():
    init()
    model = DistributedDataParallel(torch.nn.Linear(2, 2).to("cuda"))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        loss = model(torch.randn(4, 2, device="cuda")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        stats.collect(["loss"])


if __name__ == "__main__":
    main()
