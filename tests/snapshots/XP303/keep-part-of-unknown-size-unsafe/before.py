import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 10).to(device)


class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n


def run(loader, place):
    errors = AverageMeter()
    model.eval()
    with torch.no_grad():
        for x in loader:
            error = model(x.to(device)).reshape(-1)
            errors.update(error[place].item(), 16)
    print(errors.sum / errors.count)
