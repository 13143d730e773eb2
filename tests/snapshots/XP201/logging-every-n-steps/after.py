import torch
import torch_xla


def train(model, optimizer, loader):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if i % 10 == 0:
            print(i, loss.item())
