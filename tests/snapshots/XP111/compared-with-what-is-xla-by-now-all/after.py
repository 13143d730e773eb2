import torch
import torch_xla
from torch import nn

device = "xla"
net = nn.Linear(4, 2).to(device)
if device == "cuda":
    net = torch.nn.DataParallel(net, device_ids=range(torch.cuda.device_count()))
