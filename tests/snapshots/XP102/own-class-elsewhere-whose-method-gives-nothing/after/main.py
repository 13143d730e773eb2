import torch
import torch_xla

checkpoint = torch.load("model.pt", weights_only=False)
best = checkpoint["best"]
best = best.to(torch_xla.device())
print(best)


def move(what):
    what.cuda()
