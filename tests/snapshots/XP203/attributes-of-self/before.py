import torch


class Trainer:
    def __init__(self, model, device):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.model.to(device)
