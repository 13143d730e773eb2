import torch


def noise(features):
    if features.type() == "torch.xla.BFloat16Tensor":
        return torch.randn(2, 4, dtype=torch.bfloat16, device="xla")
    return torch.randn(2, 4, device="xla")


print(noise(torch.ones(2, 4).to("xla").bfloat16()))
