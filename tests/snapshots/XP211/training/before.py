import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(2, 2).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 2)), batch_size=2)


def train_step(x):
    opt.zero_grad()
    loss = model(x.to(device)).sum()
    loss.backward()
    opt.step()
    return loss.item()


for epoch in range(3):
    losses = [train_step(x) for x, in loader]
    print(sum(losses))
print(sum(train_step(x) for x, in loader))
