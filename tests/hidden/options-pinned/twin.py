"""The option is off."""
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=8)
args, rest = parser.parse_known_args([])
extra = {"pin_memory": False}  # never: XP105
loading = {**vars(args), **extra, "drop_last": True}
loader = DataLoader(TensorDataset(torch.randn(40, 4)), **loading)  # never: XP105
model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for (x,) in loader:
    loss = model(x.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), rest)
