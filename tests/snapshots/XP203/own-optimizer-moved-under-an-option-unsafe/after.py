import argparse

import torch
import torch_xla
from torch import nn

args = argparse.ArgumentParser().parse_args()


class Trainer:
    def __init__(self, on_gpu):
        self.on_gpu = on_gpu
        self.model = nn.Linear(4, 2)
        self.model.to(torch_xla.device())
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def start(self):
        if self.on_gpu:
            self.model.cuda()


trainer = Trainer(args.cuda)
trainer.start()
