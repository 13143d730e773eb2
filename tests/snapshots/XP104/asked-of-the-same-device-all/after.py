import argparse

import torch
import torch_xla

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="xla")
args = parser.parse_args()
model = torch.nn.Linear(2, 2).to(args.device)
device = "xla"
model.to(device)
