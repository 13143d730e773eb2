import re

import torch
import torch_xla

device = "xla"
x = torch.ones(3).to(device)
if device.startswith("cuda:"):
    print("with a number")
if device.upper() == "CUDA":
    print("in capitals")
if re.match(r"cuda(:\d+)?$", device):
    print("by a pattern")
if device.startswith(("xla", "mps")):
    print("one of several")
if device.split(":")[0] == "xla":
    print("the first part")
kind = device.split(":")[0]
if kind == "xla":
    print("the first part, by a name")
