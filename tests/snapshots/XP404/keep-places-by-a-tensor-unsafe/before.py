import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, history = torch.randn(1000, 8, device=device), torch.zeros(1000, device=device)
for step in range(1000):
    place = torch.tensor([step], device=device)
    x = inputs.index_select(0, place)
    x = x + inputs[place] + inputs[torch.arange(4, device=device) + step].mean(0)
    mask = torch.arange(1000, device=device) < step
    history.index_copy_(0, place, x.mean().unsqueeze(0))
    history[place] = x.mean()
    loss = model(x).mean() + (inputs * mask[:, None]).mean() + x ** torch.tensor([step], device=device)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
