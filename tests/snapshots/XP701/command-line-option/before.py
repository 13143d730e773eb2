import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
state = torch.load("model.pt", map_location=args.device)
