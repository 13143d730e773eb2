import torch


class Trainer:
    def __init__(self, model):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.cuda()

    def step(self, x):
        return self.model(x.cuda())

    @staticmethod
    def move(x):
        return x.cuda()


class Late:
    def __init__(self, x):
        self.place(x)
        self.device = torch.device("cuda")

    def place(self, x):
        return x.cuda()


class Other:
    def __init__(self, device):
        self.device = device

    def place(self, x):
        return x.cuda()
