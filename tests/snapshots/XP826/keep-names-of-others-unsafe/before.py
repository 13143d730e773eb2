import nvtx
import torch

with nvtx.range("other"):
    print(torch.ones(3, device="cuda"))
for index in range(3):
    print(index)
