import torch
from mylib import Lion


def main(device, x):
    model = torch.nn.Linear(2, 2)
    model.to(device)
    optimizer = Lion(model.parameters())
    optimizer.zero_grad()
    optimizer.step()
