import common
import torch_xla

DEVICE = "xla"
common.prepare(device=DEVICE)
