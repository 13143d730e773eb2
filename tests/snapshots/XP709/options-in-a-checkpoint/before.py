import argparse

import torch
from torch import nn

args = argparse.ArgumentParser().parse_args()
model = nn.Linear(4, 2).cuda()
torch.save({"model": model.state_dict(), "opt": args}, "last.pt")
checkpoint = torch.load("last.pt", map_location="cpu")
model.load_state_dict(checkpoint["model"])
