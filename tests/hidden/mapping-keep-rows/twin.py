"""The helper gets the order of the rows, which has one length."""
import torch
from torch import nn


def confident(keep, *tensors):
    return tuple(map(lambda tensor: tensor[keep], tensors))  # never: XP408|XP412


def step(teacher, student, optimizer, x):
    with torch.no_grad():
        chance, label = teacher(x).softmax(-1).max(-1)
    x, label = confident(chance.argsort(), x, label)  # never: XP408|XP412
    loss = nn.functional.cross_entropy(student(x), label, reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


teacher, student = (nn.Linear(8, 4).cuda() for _ in range(2))
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for _ in range(30):
    loss = step(teacher, student, optimizer, torch.randn(32, 8, device="cuda"))
print(loss.item())
