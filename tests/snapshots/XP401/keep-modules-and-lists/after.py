import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(1000)]).to(device)
names = [str(n) for n in range(1000)]
for step in range(1000):
    x = torch.randn(4, 8, device=device)
    layer = layers[step % len(layers)]
    loss = model(layer(x)).mean()
    print(names[step], layers[step], names[: step + 1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
