"""The class moves the model to args.device, which the user chooses in the function of the optimizer."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument('--disable-cuda', action='store_true')


class SimCLR(object):
    def __init__(self, *args, **kwargs):
        self.args = kwargs['args']
        self.model = kwargs['model'].to(self.args.device)
        self.optimizer = kwargs['optimizer']

    def train(self):
        for _ in range(10):
            loss = self.model(torch.ones(8, 4).to(self.args.device)).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        print(loss)


def main():
    args = parser.parse_args()
    if not args.disable_cuda and torch.cuda.is_available():
        args.device = torch.device("cuda")
    else:
        args.device = torch.device('cpu')
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.05)
    SimCLR(model=model, optimizer=optimizer, args=args).train()


main()
