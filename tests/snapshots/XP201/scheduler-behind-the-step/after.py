import torch
import torch_xla


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    for x in loader:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        torch_xla.sync()
