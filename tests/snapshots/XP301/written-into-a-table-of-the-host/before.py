import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = torch.zeros(4)
for i, (inputs,) in enumerate(DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=16)):
    loss = model(inputs.to(device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses[i] = loss.detach()
print(losses)
