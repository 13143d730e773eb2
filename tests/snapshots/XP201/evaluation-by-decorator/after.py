import torch
import torch_xla

torch.set_default_device("cuda")


@torch.no_grad()
def evaluate(model, loader):
    total = torch.zeros(())
    for x, y in loader:
        total += (model(x) - y).abs().sum()
        torch_xla.sync()
    return total


evaluate(torch.nn.Linear(2, 2), torch.utils.data.DataLoader([]))
