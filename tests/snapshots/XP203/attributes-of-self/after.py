import torch


class Trainer:
    def __init__(self, model, device):
        self.model = model
        self.model.to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters())
