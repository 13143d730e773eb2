import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

history = {}
losses = []
history["losses"] = losses
kept = []
more = ["first"]
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    kept.append(loss.item())
    more.append(loss.item())
    if i % 10 == 9:
        history["kept"] = kept
print(history, more)
