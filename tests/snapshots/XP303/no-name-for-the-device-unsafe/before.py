from torch import nn, optim, no_grad


def evaluate(model, loader, criterion=nn.MSELoss()):
    total = 0.0
    with no_grad():
        for x, y in loader:
            loss = criterion(model(x.to("xla")), y.to("xla"))
            total += loss.item()
    return total


model = nn.Linear(4, 1).to("xla")
evaluate(model, [])
