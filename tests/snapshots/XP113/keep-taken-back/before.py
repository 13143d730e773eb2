import torch
from torch import set_default_tensor_type

torch.set_default_tensor_type(torch.cuda.FloatTensor)
x = torch.zeros(3)
torch.set_default_tensor_type("torch.FloatTensor")
set_default_tensor_type(torch.cuda.FloatTensor)
