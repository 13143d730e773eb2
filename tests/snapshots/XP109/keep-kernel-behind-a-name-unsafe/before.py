"""The answer has a name, and chooses what was prepared for a GPU only."""

import torch


class Attention(torch.nn.Module):
    def __init__(self, flash):
        super().__init__()
        self.cpu_config = {"math": True}
        self.cuda_config = None
        if flash:
            self.cuda_config = {"flash": True}

    def forward(self, q):
        is_cuda = q.is_cuda
        config = self.cuda_config if is_cuda else self.cpu_config
        return q * config["math"]
