import torch
import torch_xla


def train(model, loader):
    optimizer = torch.optim.LBFGS(model.parameters())
    for x in loader:
        def closure():
            optimizer.zero_grad()
            loss = model(x).mean()
            loss.backward()
            return loss

        optimizer.step(closure)
        torch_xla.sync()
