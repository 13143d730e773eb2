import torch
import torch_xla

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for _ in range(3):
    model(torch.zeros(2)).sum().backward()
    optimizer.step()
    torch_xla.sync()