import torch
import torch as t
from torch import float16, nn


class Net(nn.Module):
    def __init__(self, dtype=torch.float16):
        super().__init__()
        self.dtype = dtype
        self.layer = nn.Linear(4, 4, dtype=dtype)
        self.register_buffer("mask", torch.full((4,), torch.finfo(torch.float16).min, dtype=torch.half))

    def forward(self, x):
        return self.layer(x.type(self.dtype)) + self.mask


device = torch.device("cuda")
torch.set_default_dtype(torch.float16)
model = Net().to(device).half().eval()
x = torch.randn(2, 4).to(device, torch.float16)
y = model(x.half())
z = torch.zeros(3, dtype=t.half, device=device).type(float16)
w = torch.HalfTensor([1.0]).to(device) + torch.tensor([1.0], device=device).type(torch.cuda.HalfTensor)
use_fp16 = True
dtype = torch.float16 if use_fp16 else torch.float32
