import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")


class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(3))

    def forward(self, x):
        return x @ self.weight.inverse() / self.weight.det() @ self.weight.matrix_power(2)


model = Mix().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in DataLoader(torch.zeros(8, 3), batch_size=4, drop_last=True):
    optimizer.zero_grad()
    model(batch.to(device)).mean().backward()
    optimizer.step()
print(torch.eye(3).inverse())
