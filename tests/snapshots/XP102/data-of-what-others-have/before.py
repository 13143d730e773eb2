import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2)
for p in model.parameters():
    p.data = p.data.cuda()
for p in model.parameters():
    p.data = p.data.to(device)

kept = torch.zeros(4)
everything = [kept]
kept.data = kept.data.cuda()

start = torch.rand(4, requires_grad=True)
start.data = start.cuda()


def noise(size, batches):
    seed = torch.rand(size)
    for batch in batches:
        seed.data = seed.data.cuda(non_blocking=True)
        batch.data = batch.data.float().cuda()
    return seed
