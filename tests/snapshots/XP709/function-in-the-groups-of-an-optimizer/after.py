import torch
from torch import nn


def is_norm(p):
    return p.ndim == 1


class Scaled(torch.optim.Optimizer):
    def __init__(self, params, lr, skipped=None):
        defaults = {"lr": lr, "skipped": skipped}
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if group["skipped"] is None or not group["skipped"](p):
                    p.add_(p.grad, alpha=-group["lr"])


class Trainer:
    def __init__(self):
        self.net = nn.Linear(2, 2).cuda()
        self.optimizer = Scaled(self.net.parameters(), lr=0.1, skipped=is_norm)

    def save(self):
        torch.save({"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict()}, "trainer.pt")

    def load(self):
        state = torch.load("trainer.pt", map_location="cpu", weights_only=False)
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["optimizer"])


net = nn.Linear(2, 2).cuda()
optimizer = torch.optim.SGD([{"params": net.parameters(), "skipped": is_norm}], lr=0.1)
torch.save(optimizer.state_dict(), "sgd.pt")
optimizer.load_state_dict(torch.load("sgd.pt", map_location="cpu", weights_only=False))
trainer = Trainer()
trainer.load()
trainer.save()
