import torch

checkpoint = torch.load("model.pt", weights_only=False)
best = checkpoint["best"]
best = best.cuda()
print(best)


def move(what):
    what.cuda()
