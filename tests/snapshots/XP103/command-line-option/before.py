import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"], help="cuda or cpu")
args = parser.parse_args()
model = torch.nn.Linear(2, 2).to(args.device)
