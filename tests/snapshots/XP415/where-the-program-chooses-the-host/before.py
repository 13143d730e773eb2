import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def packed(data):
    backend = dist.get_backend()
    place = torch.device("cpu" if backend == "gloo" else "cuda")
    return torch.ByteTensor(data).to(place)


def filled(block, largest):
    size = torch.tensor([block.numel()], device=block.device)
    if size != largest:
        block = torch.cat([block, block.new_zeros(largest - block.numel())])
    beside = torch.ones(1, device=torch.zeros(4).device)
    if beside > 3:  # of the host, as the one it is made beside
        block = block + 1
    return block


for x in DataLoader(torch.zeros(64, 4)):
    out = model(x.to(device))
    if out.sum() > 3:
        out = out * 0.5
    block = filled(packed([1, 2]), 9)
    loss = out.sum() + block.to(device).sum()
    loss.backward()
    optimizer.step()
