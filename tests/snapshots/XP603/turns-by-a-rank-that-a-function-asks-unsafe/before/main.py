import group
import torch
from torch.nn.parallel import DistributedDataParallel


def main():
    group.join()
    device = torch.device("cuda", group.number())
    model = torch.nn.Linear(2, 2).to(device)
    if group.number() != 0:
        torch.distributed.barrier()
    state = torch.load("start.pt", map_location="cpu")
    if group.number() == 0:
        torch.distributed.barrier()
    model.load_state_dict(state)
    model = DistributedDataParallel(model, device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        optimizer.zero_grad()
        model(torch.ones(1, 2, device=device)).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
