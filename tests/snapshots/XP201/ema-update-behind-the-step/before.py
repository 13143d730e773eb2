import torch


def train(model, ema, optimizer, loader):
    for x in loader:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for p, q in zip(model.parameters(), ema.parameters()):
                q.mul_(0.9).add_(p, alpha=0.1)
        print(loss.item())
