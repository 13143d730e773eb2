import torch
import torch_xla
from torch import nn

device = torch.device("xla")
body, head = nn.Linear(8, 8).to(device), nn.Linear(8, 1).to(device)
optimizers = [torch.optim.SGD(body.parameters(), lr=0.1), torch.optim.AdamW(head.parameters())]
schedulers = [torch.optim.lr_scheduler.StepLR(opt, 10) for opt in optimizers]
for i in range(100):
    loss = head(body(torch.randn(4, 8).to(device))).mean()
    loss.backward()
    for opt, scheduler in zip(optimizers, schedulers):
        opt.step()
        scheduler.step()
    for opt in optimizers:
        opt.zero_grad(set_to_none=True)
    torch_xla.sync()


def train_step(x):
    loss = head(body(x)).mean()
    loss.backward()
    for opt in optimizers:
        opt.step()
        opt.zero_grad()
    return loss


for i in range(100):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
