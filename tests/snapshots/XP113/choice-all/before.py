import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cpu", action="store_true")
args = parser.parse_args()
torch.set_default_tensor_type("torch.FloatTensor" if args.cpu else "torch.cuda.FloatTensor")
torch.set_default_tensor_type("torch.cuda.FloatTensor" if torch.cuda.is_available() else "torch.FloatTensor")
model = torch.nn.Linear(2, 2)
print(model(torch.Tensor([[1.0, 2.0]])))
