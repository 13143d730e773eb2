import torch


def convert(x, dtype='torch.cuda.LongTensor'):
    a = x.type('torch.cuda.FloatTensor')
    b = x.type( "torch.cuda.HalfTensor" ).sum()
    if x.type() == 'torch.cuda.HalfTensor':
        b = b.float()
    kind = b.type()
    if kind in ("torch.cuda.FloatTensor", "torch.FloatTensor"):
        return a.type(dtype)
    return a


print(f"{torch.zeros(2).type('torch.cuda.ByteTensor')}")
