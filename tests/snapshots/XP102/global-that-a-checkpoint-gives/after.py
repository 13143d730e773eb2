import torch
import torch_xla

best = 0


def main(path):
    global best
    checkpoint = torch.load(path, weights_only=False)
    best = checkpoint["best"]
    best = best.to(torch_xla.device())
    found = validate()
    if found > best:
        best = found
    torch.save({"best": best}, path)
