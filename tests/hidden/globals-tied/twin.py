"""The function ties after the move."""
import torch
from torch import nn

MODEL = nn.ModuleDict({"words": nn.Embedding(25, 8), "scores": nn.Linear(8, 25, bias=False)})


def share():
    MODEL["scores"].weight = MODEL["words"].weight


MODEL.cuda()  # never: XP205
share()
OPT = torch.optim.Adam(MODEL.parameters(), lr=1e-2)


def update(ids):
    logits = MODEL["scores"](MODEL["words"](ids))
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids.flatten())
    OPT.zero_grad()
    loss.backward()
    OPT.step()
    return loss


for _ in range(10):
    loss = update(torch.randint(25, (4, 6)).cuda())
print(loss.item())
