import torch

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)


def train(optimizer, loader):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        if i > 100: return loss
        loss.backward()
        optimizer.step()
