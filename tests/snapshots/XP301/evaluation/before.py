import torch

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
correct = 0
with torch.no_grad():
    for x, y in torch.utils.data.DataLoader([]):
        correct += (model(x).argmax(1) == y).sum().item()
