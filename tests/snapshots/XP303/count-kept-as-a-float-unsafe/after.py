import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

correct = torch.tensor([0], device=device)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    correct += (x.to(device) > 0).sum()
print(float(correct))
