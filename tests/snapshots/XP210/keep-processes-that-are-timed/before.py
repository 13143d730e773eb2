import time

import torch
import torch.multiprocessing as mp


def run(rank, count):
    device = torch.device("xla")
    model = torch.nn.Linear(8, 2).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = model(torch.randn(4, 8, device=device)).square().mean() / count
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    for count in (2, 4):
        started = time.time()
        mp.spawn(run, args=(count,), nprocs=count, join=True)
        print(count, time.time() - started)
