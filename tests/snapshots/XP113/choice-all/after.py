import argparse

import torch
import torch_xla

parser = argparse.ArgumentParser()
parser.add_argument("--cpu", action="store_true")
args = parser.parse_args()
torch.set_default_device("cpu" if args.cpu else torch_xla.device())
torch.set_default_device(torch_xla.device())
model = torch.nn.Linear(2, 2)
print(model(torch.as_tensor([[1.0, 2.0]], dtype=torch.float32)))
