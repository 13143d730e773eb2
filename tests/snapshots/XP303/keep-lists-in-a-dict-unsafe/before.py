import torch
import torch_xla
from torch import nn


def train(loader, epochs, given):
    model = nn.Linear(4, 3).to("xla")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    shown, begun, whole = {"loss": []}, {"loss": [0.0]}, {"loss": []}
    for epoch in range(epochs):
        for x in loader:
            loss = model(x).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            shown["loss"].append(loss.item())
            begun["loss"].append(loss.item())
            given["loss"].append(loss.item())
            whole["loss"].append(loss.item())
        print(epoch, shown["loss"][-1])
        for name in whole:
            print(name, len(whole[name]))
    return shown, begun, whole


train(torch.utils.data.DataLoader([]), 2, {"loss": []})
