import torch
import torch_xla.core.xla_model as xm
state = xm.load("a.pt")
