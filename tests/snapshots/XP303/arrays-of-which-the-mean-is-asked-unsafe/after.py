import numpy as np
import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
rows = 8


def means():
    losses = torch.tensor([0.0], device=device)
    for k in range(rows):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses += loss
    losses = torch.tensor(losses.item()) / rows
    return losses.mean()


def means_of_numpy():
    losses = torch.tensor([0.0], device=device)
    for k in range(8):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses += loss * 2
    losses = np.array(losses.item(), dtype=np.float32) / 8
    return np.mean(losses)


def greatest():
    losses = [0.0] * rows
    for k in range(rows):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss
    losses = torch.tensor([float(loss) for loss in losses])
    return losses.mean(), losses.max()


def of_integers():
    losses = [0.0] * (8)  # each element is cut off
    for k in range(8):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss
    losses = np.array([float(loss) for loss in losses], dtype=int)
    return losses.mean()


def of_dimension():
    losses = [0.0] * rows
    for k in range(rows):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss
    losses = torch.tensor([float(loss) for loss in losses])
    return losses.mean(0, keepdim=True)


def some_are_left_out():
    losses = [0.0] * rows
    for k in range(rows):
        if k % 2:
            continue
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss
    losses = torch.tensor([float(loss) for loss in losses])
    return losses.mean()


def more_elements():
    losses = [0.0] * (10)
    for k in range(rows):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss
    losses = torch.tensor([float(loss) for loss in losses])
    return losses.mean()


def another_element():
    losses = [0.0] * rows
    for k in range(rows):
        j = k // 2
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[j] = loss
    losses = torch.tensor([float(loss) for loss in losses])
    return losses.mean()


def goes_on(passes):
    losses = [0.0] * rows
    for _ in range(passes):
        for k in range(rows):
            with torch.no_grad():
                loss = model(torch.zeros(2, 4).to(device)).mean()
            losses[k] = loss
    losses = torch.tensor([float(loss) for loss in losses])
    return losses.mean()
