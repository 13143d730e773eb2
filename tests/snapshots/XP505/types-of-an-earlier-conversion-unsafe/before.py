import torch


def noise(features):
    if features.type() == "torch.xla.HalfTensor":
        return torch.randn(2, 4, dtype=torch.float16, device="xla")
    return torch.randn(2, 4, device="xla")


print(noise(torch.ones(2, 4).to("xla").half()))
