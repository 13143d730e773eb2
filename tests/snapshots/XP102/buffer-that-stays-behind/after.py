import torch
import torch_xla


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.ones(3).to(torch_xla.device()))
