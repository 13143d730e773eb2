import compat
import torch_xla

first = torch_xla.device()
second = torch_xla.device()
third = torch_xla.device()
fourth = torch_xla.device()
