# planted: host-read
# A trainer of a library calls back: the line is the callback's, not that of fit().
import torch
import torch_xla
from pocket.training import Callback, Trainer
from torch import nn


class History(Callback):
    def __init__(self):
        self.losses = []

    def on_step_end(self, trainer, loss):
        self.losses.append(loss.item())  # <- here


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
trainer = Trainer(model, optimizer, [History()])
trainer.fit(torch.randn(4, 8).to(device) for _ in range(9))
