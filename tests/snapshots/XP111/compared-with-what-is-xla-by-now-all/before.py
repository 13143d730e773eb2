import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(4, 2).to(device)
if device == "cuda":
    net = torch.nn.DataParallel(net, device_ids=range(torch.cuda.device_count()))
    torch.backends.cudnn.benchmark = True
