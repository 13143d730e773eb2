import torch
from mylib import Lion


def main(device, x):
    model = torch.nn.Linear(2, 2)
    optimizer = Lion(model.parameters())
    model.to(device)
    optimizer.zero_grad()
    optimizer.step()
