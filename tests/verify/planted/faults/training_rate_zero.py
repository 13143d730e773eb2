# planted: not-training
# A warm-up by integer division: the rate is 0 for the first thousand steps.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # <- here
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: step // 1000)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(12):
    train_step(torch.randn(4, 8).to(device))
    scheduler.step()
    torch_xla.sync()
