import torch_xla


class Trainer:
    def __init__(self, model):
        self.device = torch_xla.device()
        self.model = model.to(self.device)

    def step(self, x):
        return self.model(x.to(self.device))

    @staticmethod
    def move(x):
        return x.to(torch_xla.device())


class Late:
    def __init__(self, x):
        self.place(x)
        self.device = torch_xla.device()

    def place(self, x):
        return x.to(torch_xla.device())


class Other:
    def __init__(self, device):
        self.device = device

    def place(self, x):
        return x.to(torch_xla.device())
