import torch
import torch_xla


def convert(x, dtype='torch.cuda.LongTensor'):
    a = x.to(torch_xla.device(), torch.float32)
    b = x.to(torch_xla.device(), torch.float16).sum()
    if x.type() == 'torch.xla.HalfTensor':
        b = b.float()
    kind = b.type()
    if kind in ("torch.xla.FloatTensor", "torch.FloatTensor"):
        return a.type(dtype)
    return a


print(f"{torch.zeros(2).to(torch_xla.device(), torch.uint8)}")
