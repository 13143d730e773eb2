import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
tokens = torch.zeros(64, 4, device=device)

for step in range(2, 64):
    loss = model(tokens[torch.arange(tokens.size(0))[step - 1 : step]]).sum() + tokens[torch.arange(tokens.size(0))[step - 2 : step], 0].sum()
    loss = loss + tokens[step - 2 : step + 2].sum()
    masked = torch.zeros(4, device=device).masked_fill_(tokens[torch.tensor([step])].squeeze(0) > 0, 1)
    tokens[step - 1 : step] = 0
    loss.backward()
    optimizer.step()
