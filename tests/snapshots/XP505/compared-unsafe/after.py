import torch


def normalize(x):
    if x.dtype == torch.bfloat16:
        x = x.float()
    return x / x.norm()


x = torch.ones(4).cuda().bfloat16()
print(normalize(x), {torch.bfloat16: 2, torch.float32: 4}[x.dtype])
