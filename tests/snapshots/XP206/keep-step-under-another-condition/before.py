import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader


def train(data, device, epochs):
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(data, batch_size=4)
    for phase in ["train", "val"]:
        for x in loader:
            loss = model(x.to(device)).mean()
            if phase == "train":
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            torch_xla.sync()
