import torch
from torch import nn

device = torch.device("cuda")
model = nn.Embedding(100, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
text = torch.randint(0, 100, (10000,)).to(device)


def batch():
    places = torch.randint(len(text) - 64, (16,))
    return torch.stack([text[place : place + 64] for place in places])


for _ in range(1000):
    loss = model(batch()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
