import torch


def check(x, build):
    Tensor = torch.cuda.FloatTensor
    build(Tensor)
    return isinstance(x, torch.cuda.FloatTensor)
if torch.cuda.HalfTensor in {type(x): x for x in [torch.zeros(1)]}:
    print("half")
