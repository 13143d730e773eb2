import torch
import torch.distributed as dist
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = [(torch.rand(8, 4), torch.ones(8, dtype=torch.long)) for _ in range(3)]


def accuracy(outputs, targets):
    return (outputs.argmax(1) == targets).float().mean()


def train(config, model, optimizer, loader):
    total = torch.tensor([0.0], device=device)
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        outputs = model(x)
        loss = nn.functional.cross_entropy(outputs, y)
        loss.backward()
        optimizer.step()
        acc = accuracy(outputs, y)

        if config.train.distributed:
            handle = dist.all_reduce(loss, op=dist.ReduceOp.SUM, async_op=True)
            handle.wait()
            loss.div_(dist.get_world_size())
        loss = loss.detach()
        total += loss
        torch_xla.sync()
        acc = acc.item()
        if acc > 0.5:
            print(acc)
    return total.item()
