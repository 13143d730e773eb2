import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def evaluate(model, loader, device):
    criterion = nn.CrossEntropyLoss(reduction="sum")
    test_loss = torch.tensor([0.0], device=device)
    correct = torch.tensor([0], device=device)
    with torch.no_grad():
        for data, target in loader:
            data, target = data.to(device), target.to(device)
            output = model(data)
            test_loss += criterion(output, target)  # sum up the batch
            pred = output.argmax(dim=1, keepdim=True)
            correct += pred.eq(target.view_as(pred)).sum()
    test_loss = test_loss.item()
    correct = correct.item()
    test_loss /= len(loader.dataset)
    print(f"loss {test_loss:.4f}, accuracy {correct}/{len(loader.dataset)} ({100.0 * correct / len(loader.dataset):.0f}%)")
    return correct


evaluate(model, loader, device)
