import torch


def inverse(weight, z):
    inverted = weight.float().inverse()
    if z.type() == "torch.cuda.HalfTensor":
        inverted = inverted.half()
    return inverted


def noise(spect):
    if spect.type() in ('torch.HalfTensor', 'torch.cuda.HalfTensor'):
        return torch.cuda.HalfTensor(spect.size(0), 4).normal_()
    return torch.cuda.FloatTensor(spect.size(0), 4).normal_()


print("torch.cuda.HalfTensor")
