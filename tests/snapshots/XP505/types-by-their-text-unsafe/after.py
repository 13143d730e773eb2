import torch


def inverse(weight, z):
    inverted = weight.float().inverse()
    if z.type() == "torch.xla.BFloat16Tensor":
        inverted = inverted.bfloat16()
    return inverted


def noise(spect):
    if spect.type() in ('torch.BFloat16Tensor', 'torch.xla.BFloat16Tensor'):
        return torch.cuda.BFloat16Tensor(spect.size(0), 4).normal_()
    return torch.cuda.FloatTensor(spect.size(0), 4).normal_()


print("torch.cuda.HalfTensor")
