import time

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from meters import AverageMeter
from torch import nn


def train(batches, device):
    net = nn.Linear(4, 3).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    time_meter = AverageMeter()
    for i, (x, y) in enumerate(batches):
        start = time.time()
        loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        time_meter.update(time.time() - start)
        if (i + 1) % 10 == 0:
            xm.add_step_closure(
                lambda loss, avg: print("loss {:.4f} time {:.4f}".format(loss.item(), avg / 2)),
                args=(loss, time_meter.avg),
                run_async=True,
            )
            time_meter.reset()
    torch_xla.sync()


if __name__ == "__main__":
    train([(torch.rand(2, 4), torch.randint(3, (2,))) for _ in range(20)], torch_xla.device())
