import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def run(is_train):
    losses = []
    for x in DataLoader(torch.zeros(64, 4), batch_size=8):
        loss = model(x.to(device)).mean()
        losses.append(loss.item())
        if is_train:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            print(f"loss {loss.item():.5f}")
    return sum(losses)


print(run(True), run(False))
