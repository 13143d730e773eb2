import torch


class Loss:
    def run(self, model: torch.nn.Module, x: torch.Tensor):
        for part in range(4):
            y = model(x[part])
            if (y > 1).sum() > 0:
                y = y * 2
            print(y.sum().item())
        return y


class Old(Loss):
    def __init__(self):
        super(Old, self).__init__()
        self.model = torch.nn.Linear(4, 4).cuda()

    def run(self, model, x):
        for part in range(4):
            y = self.model(x[part])
            if (y > 1).sum() > 0:
                y = y * 2
            print(y.sum().item())
        return y


class Used(Loss):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Linear(4, 4).cuda()

    def again(self, x):
        for part in range(4):
            y = self.model(x[part])
            if (y > 1).sum() > 0:
                y = y * 2
            print(y.sum().item())
        return y
