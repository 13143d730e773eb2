import torch
import torch_xla

from thinc.api import make

model = make(8, device="xla")
