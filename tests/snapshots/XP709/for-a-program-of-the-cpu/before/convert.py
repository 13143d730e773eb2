import argparse

import torch

args = argparse.ArgumentParser().parse_args()
torch.save({"options": args}, "options.pt")
print(torch.load("options.pt", map_location="cpu"))
