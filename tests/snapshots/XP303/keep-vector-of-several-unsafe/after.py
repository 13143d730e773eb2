import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for x in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    loss = model(x.to(device)).mean(0)
    optimizer.zero_grad()
    loss.sum().backward()
    optimizer.step()
    total += loss.tolist()[0]
print(total)
