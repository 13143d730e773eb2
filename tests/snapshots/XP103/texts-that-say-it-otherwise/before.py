import re

import torch

device = "cuda"
x = torch.ones(3).to(device)
if device.startswith("cuda:"):
    print("with a number")
if device.upper() == "CUDA":
    print("in capitals")
if re.match(r"cuda(:\d+)?$", device):
    print("by a pattern")
if device.startswith(("cuda", "mps")):
    print("one of several")
if device.split(":")[0] == "cuda":
    print("the first part")
kind = device.split(":")[0]
if kind == "cuda":
    print("the first part, by a name")
