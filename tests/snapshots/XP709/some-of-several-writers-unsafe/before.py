import argparse

import torch
from torch import nn

args = argparse.ArgumentParser().parse_args()
model = nn.Linear(4, 2).cuda()
torch.save({"model": model.state_dict(), "step": 1}, "plain.pt")
torch.save({"model": model.state_dict(), "step": 1, "opt": args}, "with_options.pt")
either = torch.load(args.resume, map_location="cpu")
model.load_state_dict(either["model"])
print(either["step"])
