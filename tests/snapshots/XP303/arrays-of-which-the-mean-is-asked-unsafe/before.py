import numpy as np
import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
rows = 8


def means():
    losses = torch.zeros(rows)
    for k in range(rows):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss.item()
    return losses.mean()


def means_of_numpy():
    losses = np.zeros(8, dtype=np.float32)
    for k in range(8):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = (loss * 2).item()
    return np.mean(losses)


def greatest():
    losses = torch.zeros(rows)
    for k in range(rows):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss.item()
    return losses.mean(), losses.max()


def of_integers():
    losses = np.zeros(8, dtype=int)  # each element is cut off
    for k in range(8):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss.item()
    return losses.mean()


def of_dimension():
    losses = torch.zeros(rows)
    for k in range(rows):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss.item()
    return losses.mean(0, keepdim=True)


def some_are_left_out():
    losses = torch.zeros(rows)
    for k in range(rows):
        if k % 2:
            continue
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss.item()
    return losses.mean()


def more_elements():
    losses = torch.zeros(10)
    for k in range(rows):
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[k] = loss.item()
    return losses.mean()


def another_element():
    losses = torch.zeros(rows)
    for k in range(rows):
        j = k // 2
        with torch.no_grad():
            loss = model(torch.zeros(2, 4).to(device)).mean()
        losses[j] = loss.item()
    return losses.mean()


def goes_on(passes):
    losses = torch.zeros(rows)
    for _ in range(passes):
        for k in range(rows):
            with torch.no_grad():
                loss = model(torch.zeros(2, 4).to(device)).mean()
            losses[k] = loss.item()
    return losses.mean()
