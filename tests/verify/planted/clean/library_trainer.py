# The loop of a library, with a callback that logs now and then.
import torch
import torch_xla
from pocket.training import Callback, Trainer
from torch import nn


class Log(Callback):
    step = 0

    def on_step_end(self, trainer, loss):
        self.step += 1
        if self.step % 8 == 0:
            print(self.step, loss.item())


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
Trainer(model, optimizer, [Log()]).fit(torch.randn(4, 8).to(device) for _ in range(18))
