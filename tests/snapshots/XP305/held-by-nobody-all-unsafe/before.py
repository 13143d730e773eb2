import torch
import wandb


def train(model, loader, optimizer):
    for i, x in enumerate(loader):
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            print("loss", loss.item())


def shown_again(model, loader, optimizer, scaler):
    total = torch.zeros((), device="cuda")
    for i, x in enumerate(loader):
        loss = model(x.cuda()).sum()
        scaler.scale(loss).backward()
        optimizer.step()
        total += loss.detach()
        print("step %d: %f" % (i, loss.item()))
        wandb.log({"loss": loss, "squared": loss**2})
    return total


def with_an_accelerator(model, loader, optimizer, accelerator):
    for i, x in enumerate(loader):
        loss = model(x.cuda()).sum()
        accelerator.backward(loss)
        optimizer.step()
        mean = loss.detach()
        if i % 10 == 0:
            print("loss", loss.item(), float(mean * 2))
