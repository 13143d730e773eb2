# planted: fallback
# A confusion matrix by bincount, in the evaluation.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Confusion:
    def __init__(self):
        self.counts = 0

    def add(self, predicted, wanted):
        self.counts = self.counts + torch.bincount(predicted * 2 + wanted, minlength=4)  # <- here


confusion = Confusion()
with torch.no_grad():
    for step in range(9):
        predicted = model(torch.randn(4, 8).to(device)).argmax(1)
        confusion.add(predicted, torch.ones(4, dtype=torch.long, device=device))
        torch_xla.sync()
