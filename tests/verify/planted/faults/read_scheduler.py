# planted: host-read
# A subclassed scheduler takes its rate from the last loss.
import torch
import torch_xla
from torch import nn


class ByLoss(torch.optim.lr_scheduler.LRScheduler):
    loss = None

    def get_lr(self):
        if self.loss is None:
            return [group["lr"] for group in self.optimizer.param_groups]
        return [0.1 / (1 + self.loss.item())]  # <- here


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = ByLoss(optimizer)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    scheduler.loss = train_step(torch.randn(4, 8).to(device)).detach()
    torch_xla.sync()
    scheduler.step()
