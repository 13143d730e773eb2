import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    found, labels = torch.tensor([], device=device), torch.zeros(0, device=device)
    for inputs, targets in loader:
        out = model(inputs.to(device))
        found = torch.cat([found, out.argmax(1)])
        labels = torch.cat((labels, targets.to(device)), dim=0)
        print(len(found), labels.shape)
    return found, labels
