import torch
import torch_xla

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)


def train(optimizer, loader):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        if i > 100:
            torch_xla.sync()
            return loss
        loss.backward()
        optimizer.step()
        torch_xla.sync()
