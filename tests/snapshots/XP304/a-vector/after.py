import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

x = torch.zeros(8, 4, device=device)
vector = model(x).reshape(-1)
values = vector.tolist()
more = (model(x) > 0).view(-1).tolist()
