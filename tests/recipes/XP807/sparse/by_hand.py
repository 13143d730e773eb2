import torch
import torch_xla
from torch import nn

device = torch_xla.device()
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--sparse", action="store_true")
args = parser.parse_args([])
table = nn.Embedding(8, 4).to(device)
optimizer = torch.optim.SGD(table.parameters(), lr=0.01)
for n in range(4):
    loss = table(torch.arange(4).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
