import torch
import torch_xla


def main():
    device = torch.device("cuda")

    def step(x):
        return x.to(torch_xla.device())

    return step
