import argparse
import random
from collections import OrderedDict

import numpy as np
import torch
from torch import nn

args = argparse.ArgumentParser().parse_args()
model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = float(np.mean([0.5, 0.7]))
state = {
    "model": model.state_dict(),
    "optimizer": optimizer.state_dict(),
    "opt": vars(args),
    "best": best,
    "widths": np.arange(3).tolist(),
    "random": random.getstate(),
    "more": OrderedDict(epoch=3, lr=args.lr),
}
torch.save(state, "last.pt")
checkpoint = torch.load("last.pt", map_location="cpu")
model.load_state_dict(checkpoint["model"])

torch.save({"model": model.state_dict(), "opt": args}, "with_options.pt")
told = torch.load("with_options.pt", map_location="cpu", weights_only=True)
both = torch.load("with_options.pt", map_location="cpu", weights_only=False)
other = torch.load(args.pretrained, map_location="cpu")
model.load_state_dict(other["weights"])
