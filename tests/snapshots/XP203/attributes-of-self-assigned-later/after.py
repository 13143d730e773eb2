import torch


class Trainer:
    def __init__(self, model, device):
        self.model = model.to(device)
        self.optimizer = torch.optim.Adam(model.parameters())
