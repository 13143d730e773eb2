import torch
import torch_xla
from torch import nn


class Trainer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 4)
        self.net.to(torch_xla.device())
        self.opt = torch.optim.Adam(self.net.parameters())


if __name__ == "__main__":
    trainer = Trainer()
    if torch.cuda.is_available():
        trainer.cuda()
