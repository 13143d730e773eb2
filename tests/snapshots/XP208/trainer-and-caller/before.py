import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.params = list(self.model.parameters())

    def train(self):
        self.model.cuda()
        nn.utils.clip_grad_norm_(self.params, 1.0)


def watch(model):
    for p in model.parameters():
        p.register_hook(print)


def main():
    model = nn.Linear(2, 2)
    watch(model)
    model.to("cuda")
    Trainer(model).train()
