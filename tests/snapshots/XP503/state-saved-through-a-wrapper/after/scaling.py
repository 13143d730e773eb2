"""A wrapper that hands the state of its scaler on."""

import torch


class Scaling:
    def __init__(self):
        self.inner = torch.cuda.amp.GradScaler(enabled=False)

    def __call__(self, loss, optimizer):
        self.inner.scale(loss).backward()
        self.inner.step(optimizer)
        self.inner.update()

    def state_dict(self):
        return self.inner.state_dict()
