import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.set_default_tensor_type(torch.DoubleTensor)
torch.set_default_tensor_type("torch.DoubleTensor")
model = nn.Linear(4, 4).to("cuda")
