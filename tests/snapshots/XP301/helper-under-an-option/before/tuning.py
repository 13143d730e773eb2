import torch


class Tuner:
    def __init__(self, device):
        self.kept = torch.zeros(2, device=device)

    def tune(self, out):
        self.kept += torch.tensor((out.sign().sum().item(), out.shape[0]), device=out.device)
        return 0.5
