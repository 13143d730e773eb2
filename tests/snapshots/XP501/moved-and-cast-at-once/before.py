import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(3, 3).to(device)


def train(batches, optimizer):
    for _ in range(99):
        batch = next(batches)
        places = batch.places.cuda().type(torch.float64)
        others = batch.places.to(device).double()
        halves = batch.places.to(device).half()
        kept = batch.places.type(torch.float64)
        of_host = batch.places.to("cpu").double()
        loss = net(places).sum() + net(others).sum() + net(halves).sum() + kept.sum() + of_host.sum()
        loss.backward()
        optimizer.step()
