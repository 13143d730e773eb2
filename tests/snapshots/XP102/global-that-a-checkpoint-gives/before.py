import torch

best = 0


def main(path):
    global best
    checkpoint = torch.load(path, weights_only=False)
    best = checkpoint["best"]
    best = best.cuda()
    found = validate()
    if found > best:
        best = found
    torch.save({"best": best}, path)
