import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dtype=torch.bfloat16):
        super().__init__()
        self.dtype = dtype
        self.layer = nn.Linear(4, 4, dtype=dtype)
        self.register_buffer("mask", torch.full((4,), torch.finfo(torch.bfloat16).min, dtype=torch.bfloat16))

    def forward(self, x):
        return self.layer(x.type(self.dtype)) + self.mask


device = torch.device("cuda")
torch.set_default_dtype(torch.bfloat16)
model = Net().to(device).bfloat16().eval()
x = torch.randn(2, 4).to(device, torch.bfloat16)
y = model(x.bfloat16())
z = torch.zeros(3, dtype=torch.bfloat16, device=device).type(torch.bfloat16)
w = torch.BFloat16Tensor([1.0]).to(device) + torch.tensor([1.0], device=device).type(torch.cuda.BFloat16Tensor)
use_fp16 = True
dtype = torch.bfloat16 if use_fp16 else torch.float32
