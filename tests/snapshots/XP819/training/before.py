import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if args.compile:
    model = torch.compile(model, mode="max-autotune")  # takes a minute
compiled = torch.compile(model)
step = torch.compile(lambda x: model(x).sum())
wrapped = torch.compile(nn.Sequential(model, nn.ReLU()), fullgraph=True)
for x in loader:
    loss = wrapped(compiled(x.cuda())).sum() + step(x.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
