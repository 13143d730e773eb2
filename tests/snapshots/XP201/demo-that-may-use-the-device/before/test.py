import torch
from nets import build

if __name__ == "__main__":
    print(build().cuda()(torch.ones(2, 3, 4, 4).cuda()).sum().item())
